"""A record's text prints literally, whatever it contains (case C46)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.model.values.text import visible
from ledger.render.escape import escaped
from ledger.render.page.body import body_html, inline_html
from tests.render.conftest import FETCHING, HOSTILE

TAG = re.compile(r"<[^>]*>")


def words(text: str) -> str:
    return " ".join(visible(re.sub(r"[ \t\n\r\v\f\u2028\u2029]+", " ", text)).split(" ")).strip(" ")


def shown(html: str) -> str:
    """What a reader sees of a piece of HTML."""
    text = TAG.sub("", html)
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&nbsp;", "\u00a0"), ("&amp;", "&")):
        text = text.replace(entity, character)
    return text.strip("\n")


@pytest.mark.parametrize("text", [HOSTILE, FETCHING, "1. one", "# head", "- item", "--- | ---", "***", "a_b_ __c__", "&lt;b&gt; &#60;"])
def test_hostile_text_prints_literally(text: str) -> None:
    html = body_html(escaped(text), frozenset())
    assert TAG.sub("", html) == html.replace("<p>", "").replace("</p>", "")
    assert shown(html).replace("’", "'") == words(text).replace("’", "'")


@pytest.mark.parametrize("text", [HOSTILE, FETCHING, "a | b || c", "\\|", "`|`"])
def test_hostile_text_never_adds_a_cell(text: str) -> None:
    html = body_html(f"| a | b |\n| --- | --- |\n| {escaped(text)} | end |", frozenset())
    assert html.count("<td") == 2
    assert html.count("<tr>") == 2


def test_no_control_code_or_override_survives() -> None:
    assert not re.search("[\x00-\x1f\x7f\u202e\u2066]", escaped(HOSTILE))


@given(st.text(max_size=60))
def test_any_text_prints_literally_in_a_line(text: str) -> None:
    html = inline_html(f"x {escaped(text)}")
    assert "<" not in html.replace("<br>", "")
    assert shown(html).strip(" ").replace("’", "'") == f"x {words(text)}".strip(" ").replace("’", "'")


def test_readable_text_stays_readable() -> None:
    text = "vLLM 0.6 gave kv_cache 2.8x; see docs/features/spec_decode.md, L7 (2024-06-11)."
    assert escaped(text) == text
