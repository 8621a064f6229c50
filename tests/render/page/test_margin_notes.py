"""Margin notes: one for each source, beside the paragraph that first cites it, as far as there is room."""

import re

import pytest

from ledger.render.citing.prose import parser
from ledger.render.page.body import body_html
from ledger.render.page.margin_notes import with_notes

NOTES = {1: "Vendor project, 2024-10-17", 2: "arXiv, 2025-03", 3: "A very long name of a publisher that wraps over several lines"}


def test_each_source_has_one_note_where_it_is_first_cited() -> None:
    text = "Long enough text. " * 10
    html = body_html(f"{text}[1](#source-1)\n\n- {text}[2](#source-2)\n\n{text}[1](#source-1)", frozenset(), NOTES)
    assert re.findall(r'<span class="notes"><span><sup>(\d)</sup> ([^<]*) </span>', html) == [
        ("1", "Vendor project, 2024-10-17"),
        ("2", "arXiv, 2025-03"),
    ]


def test_a_note_waits_for_room() -> None:
    html = body_html(f"Short.[3](#source-3)\n\n{'Long enough text. ' * 30}", frozenset(), NOTES)
    assert html.index("Long enough") > html.index("A very long name") > html.index("Short.")


def test_a_note_does_not_wait_past_its_section() -> None:
    html = body_html(f"Short.[3](#source-3)\n\n## Next\n\n{'Long enough text. ' * 30}", frozenset(), NOTES)
    assert "A very long name" not in html


def noted(markdown: str, notes: dict[int, str]) -> list[list[int]]:
    """The numbers of the notes of every paragraph."""
    tokens = with_notes(parser().parse(markdown), notes)
    inlines = [token.children or [] for token in tokens if token.type == "inline"]
    return [[int(n) for n in re.findall(r"<sup>(\d+)</sup>", "".join(child.content for child in inline))] for inline in inlines]


@pytest.mark.parametrize(("length", "fits"), [(21, True), (22, False)])
def test_one_line_of_text_has_room_for_one_line_of_a_note(length: int, fits: bool) -> None:
    assert noted("So.[1](#source-1)", {1: "n" * length}) == [[1] if fits else []]


@pytest.mark.parametrize(("length", "fits"), [(91, False), (92, True)])
def test_a_last_line_counts_from_a_quarter_on(length: int, fits: bool) -> None:
    """With the source number 92 or 93 characters: the second line of 74 is sure only above a quarter."""
    assert noted(f"{'x' * length}[1](#source-1)", {1: "n" * 22}) == [[1] if fits else []]


def test_a_note_that_fits_passes_one_that_waits() -> None:
    long = "x" * 300
    assert noted(f"So.[1](#source-1),[2](#source-2)\n\n{long}", {1: "n" * 42, 2: "n"}) == [[2], [1]]


def test_links_elsewhere_and_sources_without_a_note_have_none() -> None:
    assert noted("So.[1](#label-measured) [2](#source-2)", {1: "n"}) == [[]]


def test_a_note_is_text() -> None:
    (inline,) = (token for token in with_notes(parser().parse("So.[1](#source-1)"), {1: "<b> & co"}) if token.type == "inline")
    assert (inline.children or [])[0].content == '<span class="notes"><span><sup>1</sup> &lt;b&gt; &amp; co </span></span>'
