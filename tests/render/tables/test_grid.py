"""A grid: rectangular, without columns that say one thing, with names that are not repeated."""

import pytest

from ledger.render.tables.grid import Grid


def test_a_ragged_grid_is_refused() -> None:
    with pytest.raises(ValueError, match="2 cells under a header of 3"):
        Grid(("a", "b", "c"), (("1", "2"),))


def test_uniform_columns_are_told_once() -> None:
    grid = Grid(("Item", "Price", "Tax"), (("a", "1", "unknown"), ("b", "2", "unknown")), frozenset({1})).without_uniform(("Item", "Tax"))
    assert (grid.header, grid.numeric, grid.note) == (("Item", "Price"), frozenset({1}), "In every row: tax unknown.")


def test_a_grid_is_markdown_whose_numbers_align_right() -> None:
    grid = Grid(("Name", "Value"), (("a", "1"), ("", "2\n3")), frozenset({1}), foot="Why.")
    assert grid.markdown == "| Name | Value |\n| --- | ---: |\n| a | 1 |\n|   | 2 3 |\n\n*Note.* Why."


def test_a_first_cell_is_printed_where_it_differs_from_the_one_above() -> None:
    grid = Grid(("Load", "Arm"), (("c1", "a"), ("c1", "b"), ("c8", "a"), ("c1", "a"))).grouped()
    assert [row[0] for row in grid.rows] == ["c1", "", "c8", "c1"]


def test_a_column_that_differs_or_is_not_named_stays() -> None:
    grid = Grid(("TPOT", "Tax", "Kind"), (("x", "in", "k"), ("y", "in", "k")), frozenset({2}), foot="f").without_uniform(("TPOT", "Kind"))
    assert (grid.header, grid.numeric, grid.note, grid.foot) == (("TPOT", "Tax"), frozenset(), "In every row: kind k.", "f")


def test_an_abbreviation_keeps_its_capitals_in_the_note() -> None:
    grid = Grid(("Name", "TTFT, p95"), (("a", "withheld"), ("b", "withheld"))).without_uniform(("TTFT, p95",))
    assert grid.note == "In every row: TTFT, p95 withheld."
