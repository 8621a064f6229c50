"""Templates: which names an article may give, and that whatever they print is escaped."""

import pytest
from jinja2 import TemplateNotFound, UndefinedError
from markupsafe import Markup

from ledger.render.templates import article_template_names, environment


def test_only_whole_pages_are_templates_of_articles() -> None:
    assert article_template_names() == ["journal"]


def test_articles_do_not_reach_the_template_of_comparisons() -> None:
    assert environment("report").get_template("comparison.html.j2").name == "comparison.html.j2"
    for name in ("comparison.html.j2", "../report/comparison.html.j2"):
        with pytest.raises(TemplateNotFound):
            environment("articles").get_template(name)


def test_text_is_escaped_and_its_control_characters_are_spelled_out() -> None:
    template = environment("articles").from_string("{{ text }}|{{ html }}")
    assert template.render(text="<b>\x1b", html=Markup("<i>x</i>")) == "&lt;b&gt;\\x1b|<i>x</i>"


def test_a_name_that_is_not_given_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        environment("report").from_string("{{ missing }}").render()
