"""A body as HTML: superscripts for sources, frames for labels, dead links as text."""

import pytest

from ledger.render.page.body import body_html, inline_html


def test_source_numbers_of_one_place_are_one_group() -> None:
    html = body_html("So it is.[1](#source-1),[2](#source-2) And so on.", frozenset())
    assert '<sup><a href="#source-1" class="cite">1</a>,<a href="#source-2" class="cite">2</a></sup></span> And' in html


def test_only_live_addresses_and_places_inside_stay_links() -> None:
    html = body_html("[a](https://a.example/) [b](https://b.example/) [c](#section-1)", frozenset({"https://a.example/"}))
    assert html == '<p><a href="https://a.example/">a</a> b <a href="#section-1">c</a></p>\n'


@pytest.mark.parametrize(("markdown", "levels"), [("# A\n\n## B", ["h2", "h3"]), ("### A", ["h3"]), ("# A\n\n###### B", ["h2", "h6"])])
def test_headings_begin_below_the_title_and_have_anchors(markdown: str, levels: list[str]) -> None:
    html = body_html(markdown, frozenset())
    assert [f'<{level} id="section-{number}">' in html for number, level in enumerate(levels, 1)] == [True] * len(levels)


def test_a_badge_has_the_class_of_its_label() -> None:
    assert inline_html("[proposed](#label-proposed)") == '<a href="#label-proposed" class="badge label-proposed">proposed</a>'


def test_a_number_stays_with_the_word_before_it() -> None:
    assert inline_html("So it is.[1](#source-1) On.") == (
        'So it <span class="nb">is.<sup><a href="#source-1" class="cite">1</a></sup></span> On.'
    )


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("it's the users' page", "it’s the users’ page"),
        ("the 'quoted words' here", "the 'quoted words' here"),
        ("at 300\u00a0tok/s now", 'at <span class="value">300&nbsp;tok/s</span> now'),
        ("![picture](x.png)", "picture"),
        ("<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"),
    ],
)
def test_text_prints_as_typeset(text: str, printed: str) -> None:
    assert inline_html(text) == printed
