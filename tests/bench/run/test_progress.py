"""Progress: totals that are reached, estimates that shrink, and the lines that say so."""

import itertools
from typing import Any

import pytest

from ledger.bench.plan.estimate import Pace
from ledger.bench.plan.plan import PlannedCell
from ledger.bench.run.progress import Meter, Progress, ProgressLines, left_text
from tests.bench.conftest import Run, protocol_of, suite_item


def test_progress_ends_at_its_totals_whatever_the_ramp_sent(run: Run) -> None:
    seen: list[Progress] = []
    loads = [
        {"id": "c2", "concurrency": 2, "requests": 6, "ramp_s": "5"},
        {"id": "c2-warm", "concurrency": 2, "requests": 6, "cache": "warm"},
    ]
    run(progress=seen.append, loads=loads, warm_up_requests=1)
    assert seen[-1].requests_done == seen[-1].requests_total == 2 * (7 + 7 + 4)


def test_progress_ends_at_its_totals_and_estimates(run: Run) -> None:
    seen: list[Progress] = []
    items = [suite_item(str(number)) for number in range(3)]
    run(progress=seen.append, repeats=2, warm_up_requests=1, suites=["suite"], suite_items=items)
    last = seen[-1]
    assert (last.requests_done, last.requests_total, last.cells_done, last.cells_total) == (34, 34, 4, 4)
    assert last.left_s == 0
    assert seen[0].left_s > 100
    assert all(earlier.requests_done <= later.requests_done for earlier, later in itertools.pairwise(seen))


def meter_of(seen: list[Progress], **fields: Any) -> Meter:
    """A meter of a plan at an assumed pace: 10 s a start, 8 tokens a second alone, 64 in a batch of 8."""
    pace = Pace(start_s=10, stop_s=0, alone_tokens_per_s=8, batched_tokens_per_s=64, tokens_a_request=8)
    plan = protocol_of(loads=[{"id": "c1", "concurrency": 1, "requests": 4}], repeats=2, **fields)
    return Meter(plan, prompts=4, suite_items=0, report=seen.append, now=lambda: 7.0, pace=pace)


def test_what_is_left_is_estimated_from_the_assumed_pace_and_then_from_what_was_seen() -> None:
    """Four sessions of one cell: each starts in 10 s and answers 4 requests of 8 tokens at 8 a second, 4 s a cell."""
    seen: list[Progress] = []
    meter = meter_of(seen)
    meter.say("starting")
    assert (seen[-1].left_s, seen[-1].elapsed_s, seen[-1].requests_total) == (4 * 10 + 4 * 4, 7.0, 16)
    meter.started(20.0)
    meter.cell(PlannedCell("base", "c1", 1), 1.5)
    assert seen[-1].left_s == 3 * 20 + 3 * 1.5
    assert (seen[-1].cells_done, seen[-1].cells_total) == (1, 4)


def test_a_cell_that_an_earlier_attempt_finished_counts_with_its_requests() -> None:
    seen: list[Progress] = []
    meter = meter_of(seen, warm_up_requests=1)
    meter.skip(PlannedCell("base", "c1", 1))
    meter.request()
    assert (seen[-1].requests_done, seen[-1].requests_total, seen[-1].cells_done) == (6, 20, 1)


def state(doing: str, elapsed_s: float) -> Progress:
    """A run at some moment."""
    return Progress(doing, 0, 2, 3, 12, elapsed_s, 200.0)


def test_a_line_is_printed_when_something_else_is_done_or_ten_seconds_have_passed(capsys: pytest.CaptureFixture[str]) -> None:
    show = ProgressLines()
    for at in (state("base at c2", 0.0), state("base at c2", 9.9), state("base at c2", 10.0), state("ngram at c2", 10.1)):
        show(at)
    told = capsys.readouterr()
    assert told.out == ""
    line = "{}: 3 of 12 requests, about 3 min left"
    assert told.err.splitlines() == [line.format(doing) for doing in ("base at c2", "base at c2", "ngram at c2")]


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "about 0 s left"), (89.0, "about 89 s left"), (90.0, "about 2 min left")])
def test_time_left_is_told_in_seconds_up_to_a_minute_and_a_half(seconds: float, text: str) -> None:
    assert left_text(seconds) == text
