"""What a run found, read back from its journal."""

from datetime import UTC, datetime, timedelta

from ledger.bench.journal.journal import Line
from ledger.bench.journal.result import finished_cells, requests_of, sessions_of, time_of
from ledger.bench.plan.plan import Cell
from ledger.model.trace import RequestTrace
from tests.bench.conftest import Run, trace_of
from tests.bench.fake_engine import FakeBackend, FakeEngine


def test_an_undeclared_difference_between_arms_is_a_deviation(run: Run) -> None:
    def different(engine: FakeEngine) -> None:
        engine.configuration = {
            "scheduler_config.enable_chunked_prefill": engine.arm.id == "base",
            "speculative_config.method": engine.arm.method,
            "cache_config.kv_cache_size_tokens": len(engine.arm.id),
        }

    result = run(FakeBackend(prepare=different))
    assert result.deviations == (
        "ngram: cache_config.kv_cache_size_tokens is 5, on base 4",
        "ngram: scheduler_config.enable_chunked_prefill is False, on base True",
    )
    assert result.configurations["ngram"]["speculative_config.method"] == "ngram"


def request_line(**fields: object) -> Line:
    """A request's line, as a journal read back holds it."""
    trace = trace_of(**fields)
    return {"kind": "request", **{name: getattr(trace, name) for name in RequestTrace.__slots__}}


def mark(kind: str, **fields: object) -> Line:
    """A line about a cell."""
    return {"kind": kind, "arm": "base", "load": "c2", "repeat": 1, **fields}


def test_requests_of_an_attempt_that_was_cut_off_are_kept_apart() -> None:
    lines = [mark("cell-start"), request_line(index=0), mark("cell-start"), request_line(index=1), mark("cell-end"), request_line(index=2)]
    whole, cut = requests_of(lines)
    assert ([trace.index for trace in whole], [trace.index for trace in cut]) == ([1], [0, 2])
    assert finished_cells(lines) == {Cell("base", "c2", 1)}


def test_a_session_that_was_cut_off_has_no_memory() -> None:
    start: Line = {"kind": "session-start", "arm": "base", "repeat": 1, "start_up_s": 2.0, "configuration": {}}
    end: Line = {"kind": "session-end", "arm": "base", "repeat": 1, "memory": {"weights_bytes": 7}}
    whole, cut = sessions_of([start, end, start | {"repeat": 2}])
    assert (whole.memory.weights_bytes if whole.memory else None, cut.memory, cut.repeat) == (7, None, 2)


def test_the_pause_before_a_resumption_is_not_time_at_work() -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    at = lambda minutes: (noon + timedelta(minutes=minutes)).isoformat()  # noqa: E731 - three uses, one line
    lines: list[Line] = [
        {"kind": "header", "wall": at(0), "t": 0.0},
        {"kind": "cell-end", "wall": at(2), "t": 120.0},
        {"kind": "resume", "wall": at(60), "t": 120.0},
        {"kind": "run-end", "wall": at(61), "t": 180.0},
    ]
    started_at, finished_at, duration_s, notes = time_of(lines)
    assert (started_at, finished_at, duration_s, notes) == (noon, noon + timedelta(minutes=61), 180.0, [])
