"""Runs, ratio figures and lines for the tests of comparisons in the terminal."""

import json
from typing import TYPE_CHECKING, Any

import pytest
from rich.cells import cell_len

from ledger.cli.text.layout import WIDTH
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Run
from ledger.model.values.meaning import meaning_hash
from ledger.render.report.report import Bound, Ratio, RatioFigure
from tests.conftest import DEFAULTS

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


RULE = {
    "id": "faster",
    "question": "Is it faster?",
    "metric": "run:@this#ngram~base/c1/tpot.p50",
    "bound": "at-most",
    "value": "0.9",
    "direction": "lower-is-better",
}


def with_run(folder: "LedgerFolder", run_id: str = "one", **fields: Any) -> None:
    """Write a run of the folder's plan."""
    plan = folder.catalogue().get("plan", Protocol)
    assert plan is not None
    ratio = {"value": 0.75, "unit": "ratio", "low": 0.7, "high": 0.85, "n": 80}
    base = {
        "comparisons": [{"arm": "ngram", "base": "base", "load": "c1", "metrics": {"tpot.p50": ratio}}],
        "verdicts": [{"rule": "faster", "outcome": "pass", "because": "below the bound", "direction": "better"}],
    }
    record = {"id": run_id, **DEFAULTS["run"], **base, "protocol_meaning": meaning_hash(plan), **fields}
    Run.model_validate(record)
    folder.write(f"records/runs/{run_id}.json", json.dumps({"run": [record]}))


@pytest.fixture
def run_folder(ledger_folder: "LedgerFolder") -> "LedgerFolder":
    """A ledger with a plan that asks one rule, and a run of it."""
    ledger_folder.add_plan()
    ledger_folder.add("protocol", "plan", rules=[RULE])
    with_run(ledger_folder)
    return ledger_folder


def too_long(text: str) -> list[str]:
    """Lines wider than a terminal of 80 columns."""
    return [line for line in text.splitlines() if cell_len(line) > WIDTH]


def figure(*ratios: Ratio, bounds: tuple[Bound, ...] = ()) -> RatioFigure:
    return RatioFigure("c1", "Arm / base at c1", ratios, bounds, ("base", "ngram"), "measured, planned")


def mark(
    value: float | None, low: float | None = None, high: float | None = None, *, name: str = "ngram", saturated: bool = False
) -> Ratio:
    return Ratio("TPOT, median", name, "ngram", value, low, high, "withheld (n = 5)" if value is None else f"{value}x", 80, saturated)
