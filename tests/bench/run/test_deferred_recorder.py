"""Recording comes after the next requests have been sent, and its fault is raised where somebody awaits it."""

import asyncio
import os
from errno import ENOSPC

import pytest

from ledger.bench.engine.interface import GenerationRequest
from ledger.bench.journal.journal import Journal
from ledger.bench.run.deferred_recorder import DeferredRecorder
from ledger.errors import EnvironmentFaultError
from tests.bench.conftest import Run, trace_of
from tests.bench.fake_engine import FakeBackend, Script, Step

SECOND = Script(steps=(Step(1.0, 1),))
"""Holds its slot for one second."""


def test_requests_that_end_together_are_written_down_after_the_next_ones_have_been_sent(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three slots, two rounds: the second round reaches the engine before the first is in the journal."""
    seen: list[str] = []

    def sent(_: GenerationRequest) -> Script:
        seen.append("sent")
        return SECOND

    append = Journal.append

    def noted(self: Journal, kind: str, /, **fields: object) -> None:
        seen.extend(["written"] if kind == "request" else [])
        append(self, kind, **fields)

    monkeypatch.setattr(Journal, "append", noted)
    result = run(FakeBackend(sent), loads=[{"id": "c3", "concurrency": 3, "requests": 6}], arms=[{"id": "base"}, {"id": "again"}])
    assert seen == [*["sent"] * 6, *["written"] * 6] * 2
    assert len(result.traces) == 12


def test_a_disk_that_is_full_ends_the_run_with_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write

    def full(descriptor: int, line: bytes) -> int:
        if b'"index":1,' in line:
            raise OSError(ENOSPC, "No space left on device")
        return write(descriptor, line)

    monkeypatch.setattr(os, "write", full)
    backend = FakeBackend(lambda _: SECOND)
    with pytest.raises(EnvironmentFaultError, match=r"journal\.jsonl: cannot be written: No space left on device\. What finished is kept"):
        run(backend, loads=[{"id": "c2", "concurrency": 2, "requests": 8}])
    assert not backend.engines[0].alive
    assert len(backend.engines[0].received) <= 4


def test_one_request_is_recorded_each_time_the_loop_comes_round() -> None:
    """So a chunk that arrives meanwhile waits for one recording at most, however many requests ended together."""
    recorded: list[int] = []
    turns: list[int] = []

    async def defer_three() -> DeferredRecorder:
        recorder = DeferredRecorder(lambda trace: recorded.append(trace.index), now=iter(range(100)).__next__)
        for index in range(3):
            recorder.defer(lambda index=index: trace_of(index=index))  # type: ignore[misc]  # each its own index
        for _ in range(3):
            turns.append(len(recorded))
            await asyncio.sleep(0)
        await recorder.drain()
        return recorder

    recorder = asyncio.run(defer_three())
    assert (recorded, turns) == ([0, 1, 2], [0, 1, 2])
    assert recorder.spent_s == 3  # one tick of this clock each


def test_a_fault_in_recording_is_raised_by_the_next_call_and_by_the_drain() -> None:
    def full(_: object) -> None:
        raise EnvironmentFaultError("the disk is full")

    async def defer() -> None:
        recorder = DeferredRecorder(full, now=lambda: 0.0)
        recorder.defer(trace_of)
        with pytest.raises(EnvironmentFaultError, match="disk is full"):
            await recorder.drain()
        with pytest.raises(EnvironmentFaultError, match="disk is full"):
            recorder.defer(trace_of)

    asyncio.run(defer())
