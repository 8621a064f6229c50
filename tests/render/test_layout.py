"""Tables fit, notes stay beside their paragraph, grids are rectangular."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.render.page.body import body_html
from ledger.render.page.columns import layout
from ledger.render.tables.grid import Grid

NOTES = {1: "Vendor project, 2024-10-17", 2: "arXiv, 2025-03", 3: "A very long name of a publisher that wraps over several lines"}


@given(st.lists(st.lists(st.text(max_size=40), min_size=3, max_size=3), min_size=1, max_size=6))
def test_widths_always_add_up(rows: list[list[str]]) -> None:
    fitted = layout(rows)
    assert sum(fitted.widths) == pytest.approx(100, abs=0.1)
    assert all(width > 0 for width in fitted.widths)


@pytest.mark.parametrize(("columns", "size"), [(3, "normal"), (9, "normal"), (12, "small"), (16, "wide")])
def test_more_columns_turn_the_table(columns: int, size: str) -> None:
    assert layout([["col"] * columns, ["1001.25"] * columns]).size == size


def test_numbers_are_never_broken() -> None:
    narrow = layout([["a", "b"], ["x" * 200, "98.32 USD per hour"]], frozenset({1}))
    assert narrow.widths[1] * 112 / 100 > len("98.32 USD per hour")


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


def test_a_ragged_grid_is_refused() -> None:
    with pytest.raises(ValueError, match="2 cells under a header of 3"):
        Grid(("a", "b", "c"), (("1", "2"),))


def test_uniform_columns_are_told_once() -> None:
    grid = Grid(("Item", "Price", "Tax"), (("a", "1", "unknown"), ("b", "2", "unknown")), frozenset({1})).without_uniform(("Item", "Tax"))
    assert (grid.header, grid.numeric, grid.note) == (("Item", "Price"), frozenset({1}), "In every row: tax unknown.")


def test_what_is_left_goes_to_the_text_that_wraps() -> None:
    widths = layout([["Statement", "Label", "Date"], ["A statement of many words. " * 8, "measured", "2026-11-30"]]).widths
    assert widths[0] > 70


def table(columns: int, cell: str) -> str:
    rows = [f"c{number}" for number in range(columns)], ["---:"] * columns, [cell] * columns
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def test_intervals_go_below_their_values_before_a_table_turns() -> None:
    html = body_html(table(6, "1066 (636 to 1255)"), frozenset())
    assert '<table class="normal stacked">' in html
    assert '1066 <span class="aside">(636 to 1255)</span>' in html
    assert "stacked" not in body_html(table(4, "1066 (636 to 1255)"), frozenset())


def test_a_turned_table_waits_for_the_end_of_its_section() -> None:
    html = body_html(f"**Table 1.** Wide.\n\n{table(20, '1066.25')}\n\nAfter.\n\n## Next\n\nLast.", frozenset())
    assert html.index("After.") < html.index("Wide.") < html.index("Next")


def test_a_foot_stands_with_its_table() -> None:
    html = body_html(f"{table(2, '1')}\n\n*Note.* Why.\n\n*Note.* Not a foot.", frozenset())
    assert '</table><p class="foot"><em>Note.</em> Why.</p></div>' in html
    assert "<p><em>Note.</em> Not a foot.</p>" in html


def test_source_numbers_of_one_place_are_one_group() -> None:
    html = body_html("So it is.[1](#source-1),[2](#source-2) And so on.", frozenset())
    assert '<sup><a href="#source-1" class="cite">1</a>,<a href="#source-2" class="cite">2</a></sup></span> And' in html


def test_a_relation_stands_beside_its_label_in_a_table() -> None:
    html = body_html("| Label |\n| --- |\n| [vendor-claimed · user report](#label-vendor-claimed) |", frozenset())
    assert 'class="badge label-vendor-claimed">vendor-claimed</a> <span class="relation">user report</span>' in html
