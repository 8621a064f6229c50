"""A run's tables: loads in the protocol's order, reasons in place of numbers, and a fault where there is nothing."""

from typing import Any

import pytest

from ledger.model.catalogue import Catalogue, Entry
from ledger.model.records.run import Run
from ledger.render.citing.blocks import CellsTable, ComparisonTable, RunTable
from ledger.render.citing.citations import Citing, UnprintableError
from ledger.render.tables.grid import Grid
from ledger.render.tables.run_tables import cells_grid, comparisons_grid, run_grid
from tests.render.conftest import make_citing, protocol, run


def citing_of(**fields: Any) -> Citing:
    return make_citing(Catalogue(Entry(record, "x") for record in (run(**fields), protocol())))


def cells_of(record: Run) -> list[dict[str, Any]]:
    return [cell.model_dump(mode="json", exclude_none=True) for cell in record.cells]


def cells(**fields: Any) -> CellsTable:
    return CellsTable.model_validate({"kind": "cells", "caption": "x", "run": "demo-run", "metrics": ["tpot.p50"]} | fields)


def grid_of(kind: str, *keys: str, **fields: Any) -> Grid:
    block = RunTable.model_validate({"kind": kind, "caption": "x", "run": "demo-run", "keys": keys})
    return run_grid(block, citing_of(**fields))


def test_cells_stand_by_load_in_the_protocols_order() -> None:
    grid = cells_grid(cells(), citing_of(cells=cells_of(run())[::-1]))
    assert grid.header == ("Load", "Arm", "TPOT, median, ms")
    assert [row[:2] for row in grid.rows] == [
        ("concurrency 1", "ngram-4"),
        ("", "baseline"),
        ("concurrency 8", "ngram-4"),
        ("", "baseline"),
    ]
    assert grid.rows[1][2] == "12.3 (11.7 to 13.0)"


def test_values_stand_without_intervals_where_asked() -> None:
    assert cells_grid(cells(interval=False), citing_of()).rows[0][2] == "12.3"


def test_a_metric_that_nobody_may_print_is_told_once() -> None:
    grid = cells_grid(cells(metrics=["tpot.p50", "tpot.p95"]), citing_of())
    assert grid.header == ("Load", "Arm", "TPOT, median, ms")
    assert grid.note == "In every row: TPOT, p95 withheld (n = 40, needs 72)."


def test_a_saturated_cell_is_flagged_and_so_is_a_pair_with_one() -> None:
    body = cells_of(run())
    body[2]["metrics"]["saturation.repeats"] = {"value": 1, "unit": "count", "n": 40}
    citing = citing_of(cells=body)
    assert [row[1] for row in cells_grid(cells(), citing).rows] == ["baseline", "ngram-4", "baseline \\[saturated\\]", "ngram-4"]
    pairs = ComparisonTable(kind="comparisons", caption="x", run="demo-run", metrics=("tpot.p50",))
    [row] = comparisons_grid(pairs, citing).rows
    assert row == ("concurrency 8", "ngram-4 against baseline \\[saturated\\]", "1.31x (1.20 to 1.42)")


def test_verdicts_print_the_question_of_the_rule() -> None:
    assert grid_of("verdicts").rows == (("Is it no slower under load?", "fail: worse", "the interval lies above the bound"),)
    assert grid_of("verdicts", verdicts=[]).rows == (("none asked", "", ""),)


def test_suites_environment_and_deviations_print_as_recorded() -> None:
    assert grid_of("suites").rows == (("answers", "baseline", "9 of 10", "0"),)
    assert grid_of("environment").rows == (("Engine", "vllm 0.32.0"), ("Hardware", "2 CPU cores"))
    assert grid_of("environment", "hardware").rows == (("Hardware", "2 CPU cores"),)
    assert grid_of("deviations").rows == (("none",),)
    assert grid_of("deviations", deviations=["a | b"]).rows == (("1", "a \\| b"),)


def test_memory_is_taken_apart_with_what_was_not_recorded() -> None:
    size = {"value": 2**30, "unit": "bytes", "n": 1}
    grid = grid_of("memory", memory={"a": {"weights": size}, "b": {"resident-peak": size}})
    assert grid.header == ("Arm", "Weights", "Resident peak")
    assert grid.rows == (("a", "1\u00a0GiB", "not recorded"), ("b", "not recorded", "1\u00a0GiB"))


def test_drills_stand_with_an_arm_in_each_column() -> None:
    lost = {"value": 8, "unit": "count", "n": 8}
    drills = [
        {"drill": "killed", "arm": arm, "instants_s": {}, "metrics": {name: lost}}
        for arm, name in (("a", "lost.count"), ("b", "left.count"))
    ]
    grid = grid_of("drills", drills=drills)
    assert grid.header == ("Drill", "What", "a", "b")
    assert grid.rows == (("killed", "Requests lost", "8", "not recorded"), ("", "Clients that left", "not recorded", "8"))


@pytest.mark.parametrize(
    ("kind", "keys", "fields", "message"),
    [
        ("memory", (), {"memory": {}}, "demo-run has no memory recorded."),
        ("drills", (), {"drills": []}, "demo-run has no fault drills."),
        ("environment", ("driver",), {}, "demo-run has no environment.driver; it has engine, hardware."),
    ],
)
def test_what_a_run_does_not_have_is_a_fault(kind: str, keys: tuple[str, ...], fields: dict[str, Any], message: str) -> None:
    with pytest.raises(UnprintableError) as caught:
        grid_of(kind, *keys, **fields)
    assert (caught.value.code, caught.value.message) == ("LEDG105", message)
