"""A run of older statistics is held to its values, counts and n, and keeps its intervals, verdicts and keys."""

from typing import Any

import pytest

from ledger.analysis.cells.older_statistics import as_recorded
from ledger.analysis.measures.throughput import Counted
from ledger.model.records.run import Cell, Comparison, Measure, Run, Verdict

COUNTS: dict[Counted, int] = {"sent": 72, "completed": 72, "failed": 0, "aborted": 0, "empty": 0}
OLD = Measure(value=0.02, unit="s", low=0.019, high=0.021, n=72)
TODAY = Measure(value=0.02, unit="s", low=0.015, high=0.025, n=72)


def run(metrics: dict[str, Measure], ratio: Measure = OLD, **fields: Any) -> Run:
    """Return a run of one cell and one comparison."""
    requests, shortfall = fields.pop("requests", COUNTS), fields.pop("shortfall", None)
    cell = Cell(arm="base", load="c8", requests=requests, metrics=metrics, shortfall=shortfall)
    pair = Comparison(arm="ngram", base="base", load="c8", metrics={"tpot.p50": ratio})
    made: dict[str, Any] = {"cells": (cell,), "comparisons": (pair,), "verdicts": (), "decision": None}
    return Run.model_construct(**(made | fields))


def test_other_intervals_new_keys_and_other_verdicts_are_no_difference() -> None:
    verdict = Verdict(rule="faster", outcome="pass", because="so")
    recorded = run({"tpot.p50": OLD}, verdicts=(verdict,), decision="ngram")
    again = run({"tpot.p50": TODAY, "burst.index": Measure(value=0.9, unit="share", n=72)}, ratio=TODAY, shortfall="71 of 72 completed")
    assert as_recorded(recorded, again) == recorded


@pytest.mark.parametrize("change", [{"value": 0.03}, {"n": 71}, {"value": None, "reason": "not recorded"}, {"unit": "tok/s"}])
def test_another_value_or_n_shows(change: dict[str, Any]) -> None:
    recorded = run({"tpot.p50": OLD.model_copy(update=change)})
    again = run({"tpot.p50": TODAY})
    assert as_recorded(recorded, again).cells[0].metrics["tpot.p50"] == TODAY


def test_a_key_that_traces_do_not_give_shows() -> None:
    recorded = run({"tpot.p50": OLD, "made-up.mean": OLD})
    assert as_recorded(recorded, run({"tpot.p50": TODAY})) != recorded


def test_other_counts_and_a_missing_cell_show() -> None:
    recorded = run({"tpot.p50": OLD})
    assert as_recorded(recorded, run({"tpot.p50": TODAY}, requests=COUNTS | {"completed": 71, "failed": 1})) != recorded
    more = recorded.model_copy(update={"cells": (*recorded.cells, *recorded.cells)})
    assert len(as_recorded(recorded, more).cells) == 2
