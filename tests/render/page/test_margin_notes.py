"""Margin notes: one for each source, beside the paragraph that first cites it, as far as there is room."""

import re

from ledger.render.page.body import body_html

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
