"""What a block asks of a run: all cells by default, and a named fault where a name is not there."""

import pytest

from ledger.render.citing.blocks import CellsTable, ComparisonTable
from ledger.render.citing.citations import Citing, UnprintableError
from ledger.render.citing.run_blocks import cite_run, find_measure, select_cells, select_comparisons
from tests.render.conftest import run


def cells(**fields: tuple[str, ...]) -> CellsTable:
    return CellsTable.model_validate({"kind": "cells", "caption": "x", "metrics": ("tpot.p50",), **fields})


def test_a_run_is_cited_by_being_named(citing: Citing) -> None:
    assert cite_run("demo-run", citing).id == "demo-run"
    assert list(citing.cited) == ["demo-run"]


def test_a_run_that_is_not_there_is_a_fault(citing: Citing) -> None:
    with pytest.raises(UnprintableError) as caught:
        cite_run("demo-runn", citing)
    assert caught.value.code == "LEDG101"


@pytest.mark.parametrize(
    ("block", "chosen"),
    [
        (cells(), [("baseline", "c1"), ("ngram-4", "c1"), ("baseline", "c8"), ("ngram-4", "c8")]),
        (cells(arms=("ngram-4",)), [("ngram-4", "c1"), ("ngram-4", "c8")]),
        (cells(arms=("ngram-4",), loads=("c8",)), [("ngram-4", "c8")]),
    ],
)
def test_cells_are_those_asked_for(block: CellsTable, chosen: list[tuple[str, str]]) -> None:
    assert [(cell.arm, cell.load) for cell in select_cells(block, run())] == chosen


def test_single_repeats_are_left_out() -> None:
    body = [cell.model_dump(mode="json", exclude_none=True) for cell in run().cells]
    with_repeats = run(cells=[*body, body[0] | {"repeat": 1}])
    assert len(select_cells(cells(), with_repeats)) == len(body)


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (cells(arms=("ngram",)), 'demo-run has no arm "ngram"; it has baseline, ngram-4.'),
        (cells(loads=("c2",)), 'demo-run has no load "c2"; it has c1, c8.'),
    ],
)
def test_an_unknown_arm_or_load_is_told_with_those_there_are(block: CellsTable, message: str) -> None:
    with pytest.raises(UnprintableError) as caught:
        select_cells(block, run())
    assert (caught.value.code, caught.value.message) == ("LEDG112", message)


def test_comparisons_know_only_their_own_arms_and_loads() -> None:
    block = ComparisonTable(kind="comparisons", caption="x", metrics=("tpot.p50",))
    assert [pair.arm for pair in select_comparisons(block, run())] == ["ngram-4"]
    with pytest.raises(UnprintableError, match='no load "c1"; it has c8'):
        select_comparisons(block.model_copy(update={"loads": ("c1",)}), run())


def test_a_metric_that_a_cell_lacks_is_told_with_those_it_has() -> None:
    cell = run().cells[0]
    assert find_measure(cell, "tpot.p50").value == 0.0123
    with pytest.raises(UnprintableError) as caught:
        find_measure(cell, "ttft.p50")
    assert (caught.value.code, caught.value.message) == ("LEDG105", "baseline/c1 has no ttft.p50; it has tpot.p50, tpot.p95.")
