"""What a run found, read back from its journal."""

from datetime import UTC, datetime, timedelta

from ledger.bench.journal.journal import Line
from ledger.bench.journal.result import finished_cells, sessions_of, staggers_s, time_of
from ledger.bench.plan.plan import PlannedCell
from tests.bench.conftest import Run
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


def mark(kind: str, **fields: object) -> Line:
    """A line about a cell."""
    return {"kind": kind, "arm": "base", "load": "c2", "repeat": 1, **fields}


def test_cells_of_the_discarded_life_are_none_of_the_plans() -> None:
    assert finished_cells([mark("cell-end"), mark("cell-end", repeat=0)]) == {PlannedCell("base", "c2", 1)}


def test_the_memory_of_a_discarded_life_is_none_of_an_arms() -> None:
    lines: list[Line] = [
        {"kind": "session-start", "arm": "base", "repeat": 0, "start_up_s": 9.0, "configuration": {"a": 1}},
        {"kind": "session-end", "arm": "base", "repeat": 0, "memory": {"weights_bytes": 1}},
        {"kind": "session-start", "arm": "base", "repeat": 1, "start_up_s": 2.0, "configuration": {}},
        {"kind": "session-end", "arm": "base", "repeat": 1, "memory": {"weights_bytes": 7}},
    ]
    [session] = sessions_of(lines)
    assert (session.repeat, session.start_up_s, session.memory and session.memory.weights_bytes) == (1, 2.0, 7)


def test_staggers_are_those_that_the_run_measured() -> None:
    lines: list[Line] = [{"kind": "staggers", "seconds": {"c8": 1.5}}, {"kind": "staggers", "seconds": {"c8": 1.5, "c2": 0.5}}]
    assert staggers_s(lines) == {"c8": 1.5, "c2": 0.5}


def test_a_session_that_was_cut_off_has_no_memory() -> None:
    start: Line = {"kind": "session-start", "arm": "base", "repeat": 1, "start_up_s": 2.0, "configuration": {}}
    end: Line = {"kind": "session-end", "arm": "base", "repeat": 1, "memory": {"weights_bytes": 7}}
    whole, cut = sessions_of([start, end, start | {"repeat": 2}])
    assert (whole.memory.weights_bytes if whole.memory else None, cut.memory, cut.repeat) == (7, None, 2)


def test_the_pause_before_a_resumption_is_not_time_at_work() -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)

    def at(minutes: int) -> str:
        return (noon + timedelta(minutes=minutes)).isoformat()

    lines: list[Line] = [
        {"kind": "header", "wall": at(0), "t": 0.0},
        {"kind": "cell-end", "wall": at(2), "t": 120.0},
        {"kind": "resume", "wall": at(60), "t": 120.0},
        {"kind": "run-end", "wall": at(61), "t": 180.0},
    ]
    started_at, finished_at, duration_s, notes = time_of(lines)
    assert (started_at, finished_at, duration_s, notes) == (noon, noon + timedelta(minutes=61), 180.0, [])
