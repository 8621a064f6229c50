"""Recording comes after the next requests have been sent, and its fault is raised where somebody awaits it."""

import asyncio
import os
from errno import ENOSPC

import pytest

from ledger.bench.engine.interface import GenerationRequest
from ledger.bench.journal.journal import Journal
from ledger.bench.run.deferred_recorder import DeferredRecorder
from ledger.errors import EnvironmentFault
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
    with pytest.raises(EnvironmentFault, match=r"journal\.jsonl: cannot be written: No space left on device\. What finished is kept"):
        run(backend, loads=[{"id": "c2", "concurrency": 2, "requests": 8}])
    assert not backend.engines[0].alive
    assert len(backend.engines[0].received) <= 4


def test_what_is_deferred_is_recorded_when_the_loop_next_comes_round_in_its_order() -> None:
    recorded: list[int] = []

    async def defer_three() -> None:
        recorder = DeferredRecorder(lambda trace: recorded.append(trace.index))
        for index in range(3):
            recorder.defer(lambda index=index: trace_of(index=index))  # type: ignore[misc]  # each its own index
        assert recorded == []
        await recorder.drain()

    asyncio.run(defer_three())
    assert recorded == [0, 1, 2]


def test_a_fault_in_recording_is_raised_by_the_next_call_and_by_the_drain() -> None:
    def full(_: object) -> None:
        raise EnvironmentFault("the disk is full")

    async def defer() -> None:
        recorder = DeferredRecorder(full)
        recorder.defer(trace_of)
        with pytest.raises(EnvironmentFault, match="disk is full"):
            await recorder.drain()
        with pytest.raises(EnvironmentFault, match="disk is full"):
            recorder.defer(trace_of)

    asyncio.run(defer())
