"""What a finished part of a run lacks, has twice or has beyond its plan is named by its line."""

import pytest

from ledger.bench.journal.journal import Line
from ledger.bench.journal.plan_fit import finished_cell_counts, misfits
from ledger.bench.plan.plan import PlannedCell
from ledger.model.records.protocol import Protocol
from tests.bench.journal.journal_fixtures import PROMPTS, answer, cell, header, mark, plan, request

KILL = {"id": "kill", "kind": "engine-killed", "requests": 2}
FLOOD = {"id": "flood", "kind": "overload", "requests": 1, "rate_per_s": "9"}


def told(lines: list[Line], protocol: Protocol | None = None) -> list[str]:
    """What does not fit, in words."""
    return [str(misfit) for misfit in misfits([header(), *lines], protocol or plan(), PROMPTS)]


def test_whole_cells_and_what_was_cut_off_fit() -> None:
    assert told([*cell(), mark("cell-start", "ngram"), request(0, "ngram"), *cell("ngram")]) == []
    assert told([*cell(), mark("cell-start", "ngram"), request(0, "ngram")]) == []


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([mark("cell-start"), request(0), mark("cell-end")], "line 4: base at c1, repeat 1: 1 of 2 requests are missing, the first is 1"),
        ([mark("cell-start"), request(0), request(1), request(1), mark("cell-end")], "line 5: base at c1, repeat 1: 1 stands twice"),
        ([*list(cell())[:3], request(2), mark("cell-end")], "line 5: base at c1, repeat 1: request 2 is not in the plan"),
        ([*cell(prompt_id="p0")], "line 4: base at c1, repeat 1: request 1 took prompt p0, the plan gives it p1"),
        ([*cell(arm="ngram", load="c9")], "line 4: measured request 1 of ngram at c9: belongs to nothing that was begun before it"),
        ([request(0)], "line 2: measured request 0 of base at c1: belongs to nothing that was begun before it"),
        ([*cell("third")], "line 5: third at c1, repeat 1: is not in the plan"),
        ([*cell(), *cell()], "line 9: base at c1, repeat 1: ended before"),
        ([mark("cell-start", "ngram"), mark("cell-end")], "line 3: base at c1, repeat 1: ends without having begun"),
        ([mark("suites-start"), answer("a", "ngram")], "line 3: answer to suite/a on ngram: belongs to nothing that was begun before it"),
    ],
)
def test_what_does_not_fit_is_named_by_its_line(lines: list[Line], says: str) -> None:
    assert told(lines)[0] == says


def test_warm_up_and_the_filling_of_a_warm_cache_are_counted() -> None:
    warm = plan(loads=[{"id": "c1", "concurrency": 1, "requests": 2, "cache": "warm"}], warm_up_requests=1)
    sent = [request(index, phase="warm-up") for index in range(3)]
    start, *measured, end = cell()
    assert told([start, *sent, *measured, end], warm) == []
    assert told([start, *sent[:2], *measured, end], warm) == [
        "line 7: base at c1, repeat 1, warm-up: 1 of 3 requests are missing, the first is 2"
    ]


def test_a_suite_item_is_answered_once() -> None:
    protocol = plan(suites=["suite"])
    lines = [mark("suites-start"), answer("a"), answer("b"), answer("a"), mark("suites-end")]
    assert told(lines, protocol) == ["line 5: suites on base: suite/a stands twice"]
    assert told([*lines[:3], lines[4]], protocol) == []


def drill(name: str, *indexes: int) -> list[Line]:
    """The lines of a drill on the baseline."""
    sent = [request(index, phase="drill", load=name) for index in indexes]
    return [mark("drill-start", drill=name), *sent, mark("drill-end", drill=name, instants_s={})]


def test_a_drill_has_its_requests_and_probes_or_nothing_but_the_probe_of_an_engine_that_is_gone() -> None:
    protocol = plan(drills=[KILL, FLOOD])
    assert told([*drill("kill", 0, 1, 2), *drill("flood", 0, 1, 2)], protocol) == []
    assert told(drill("kill", 2), protocol) == []
    assert told(drill("kill", 0, 2), protocol) == ["line 5: drill kill on base: 1 of 3 requests are missing, the first is 1"]
    assert told(drill("flood", 0, 1), protocol) == ["line 5: drill flood on base: 1 of 3 requests are missing, the first is 2"]


def test_only_measured_requests_of_finished_cells_are_counted() -> None:
    lines = [header(), mark("cell-start"), request(0), *cell(outcome="failed"), request(0, phase="warm-up"), mark("cell-start", "ngram")]
    assert finished_cell_counts(lines) == {PlannedCell("base", "c1", 1): {"sent": 2, "completed": 1, "failed": 1}}
