"""What became of a run: complete, partial, failed or invalid."""

from typing import Any

import pytest

from ledger.bench.journal.journal import Line
from ledger.bench.journal.status import short_cells, status_of
from ledger.bench.plan.plan import PlannedCell
from tests.bench.journal.journal_fixtures import answer, cell, header, mark, plan, request

WHOLE = [*cell(), *cell("ngram")]
SUITES = [line for arm in ("base", "ngram") for line in (mark("suites-start", arm), answer("a", arm), mark("suites-end", arm))]
DRILL = {"id": "kill", "kind": "engine-killed", "requests": 1, "arms": ["base"]}


@pytest.mark.parametrize(
    ("lines", "fields", "status"),
    [
        (WHOLE, {}, "complete"),
        ([*cell()], {}, "partial"),
        ([*cell(), mark("cell-start", "ngram"), request(0, "ngram"), request(1, "ngram")], {}, "partial"),
        ([*cell(), *cell("ngram", outcome="failed")], {}, "failed"),
        ([*cell(), *cell("ngram", outcome="aborted")], {}, "failed"),
        ([*cell(), *cell("ngram", outcome="empty")], {}, "failed"),
        ([*cell(), *cell("ngram", outcome="ended-empty")], {}, "complete"),
        ([*cell(outcome="failed")], {}, "partial"),
        (WHOLE, {"repeats": 2}, "partial"),
        (WHOLE, {"suites": ["suite"]}, "partial"),
        ([*WHOLE, *SUITES], {"suites": ["suite"]}, "complete"),
        (WHOLE, {"drills": [DRILL]}, "partial"),
        ([*cell(), *cell("ngram", prompt_id="p0")], {}, "invalid"),
        ([*cell(prompt_id="p0")], {}, "invalid"),
    ],
)
def test_the_status_follows_from_the_lines_and_the_plan(lines: list[Line], fields: dict[str, Any], status: str) -> None:
    assert status_of([header(), *lines], plan(**fields)) == status


def test_a_drill_whose_requests_failed_does_not_fail_the_run() -> None:
    sent = [request(index, phase="drill", load="kill", outcome="failed") for index in (0, 1)]
    lines = [header(), *WHOLE, mark("drill-start", drill="kill"), *sent, mark("drill-end", drill="kill", instants_s={})]
    assert status_of(lines, plan(drills=[DRILL])) == "complete"


def test_a_cell_that_counts_for_nothing_says_how_many_completed() -> None:
    counts = {
        PlannedCell("base", "c1", 1): {"sent": 2, "completed": 1, "failed": 1},
        PlannedCell("ngram", "c1", 1): {"sent": 2, "completed": 2},
    }
    assert short_cells(plan(), counts) == {PlannedCell("base", "c1", 1): "1 of 2 completed"}
