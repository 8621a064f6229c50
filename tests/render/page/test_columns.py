"""Widths of columns: they add up, numbers are never broken, and a wide table is turned."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.render.page.columns import layout

ADDRESS = "x" * 40


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


def test_short_columns_share_evenly() -> None:
    assert layout([["a", "b"], ["1", "2"]]).widths == (50, 50)
    assert layout([["a"]]).widths == (100,)


def test_there_is_more_space_after_numbers() -> None:
    """Both ask for 1.1 times three characters and 2; the second for 1.6 more."""
    assert layout([["a", "b"], ["1", "x"]], frozenset({0})).widths == (43.44, 56.56)


def test_the_heading_of_numbers_may_break() -> None:
    """The first asks for `heading`, 1.1 * 7 + 2, not for all its words; the second for 1.1 * 3 + 3.6."""
    assert layout([["a heading of words", "b"], ["1", "x"]], frozenset({0})).widths == (58.43, 41.57)


@pytest.mark.parametrize(("columns", "size"), [(4, "normal"), (5, "small"), (7, "small"), (8, "wide")])
def test_long_words_break_sooner_before_a_table_turns(columns: int, size: str) -> None:
    """26.2 characters a column at text size, and 16.3 where words break after 13."""
    assert layout([[ADDRESS] * columns]).size == size


def test_words_joined_by_no_break_spaces_are_kept_whole() -> None:
    joined = "\u00a0".join(["y" * 20, "y" * 19])
    assert layout([[ADDRESS] * 3]).size == "normal"
    assert layout([[joined] * 3]).size == "small"


def test_what_fits_no_page_still_shares_the_widest() -> None:
    fitted = layout([["a"] * 100])
    assert fitted.size == "wide"
    assert set(fitted.widths) == {1.0}
