"""Widths of columns: they add up, numbers are never broken, and a wide table is turned."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.render.page.columns import layout


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


def test_what_is_left_goes_to_the_text_that_wraps() -> None:
    widths = layout([["Statement", "Label", "Date"], ["A statement of many words. " * 8, "measured", "2026-11-30"]]).widths
    assert widths[0] > 70
