"""The processor time that the runner adds to a chunk and to a request, on an engine that gives chunks without a wait."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.fake import FakeEngine, plan
from benchmarks.passes import CONCURRENCY, TOKENS
from ledger.bench.engine.clock import RunClock, SystemClock
from ledger.bench.engine.interface import GenerationRequest
from ledger.bench.engine.redaction import kept_trace
from ledger.bench.journal.journal import Journal
from ledger.bench.plan.plan import PlannedCell
from ledger.bench.run.cell import CellRun
from ledger.bench.run.streamed_request import EncodedPrompt
from ledger.model.trace import RequestTrace

CELL_REQUESTS, FEW, MANY, PAIRS = 400, 4, 132, 7


@dataclass(frozen=True, slots=True)
class Overhead:
    """Processor seconds of this process beyond those of a loop that only counts tokens."""

    per_chunk_s: float
    per_request_s: float
    """Of `TOKENS` chunks, which are included."""


def overhead() -> Overhead:
    """Return the runner's own cost: the slope over requests of few and of many chunks, medians of interleaved pairs."""
    with tempfile.TemporaryDirectory() as folder, Journal.create(Path(folder) / "journal.jsonl") as journal:
        few, many = (statistics.median(added_s(chunks, journal) for _ in range(PAIRS)) for chunks in (FEW, MANY))
    per_chunk_s = (many - few) / (MANY - FEW)
    return Overhead(per_chunk_s, few + (TOKENS - FEW) * per_chunk_s)


def added_s(chunks: int, journal: Journal) -> float:
    """Return what the runner adds to a request of so many chunks, in processor seconds."""
    prompts = tuple(EncodedPrompt(f"p{number}", tuple(range(200))) for number in range(64))
    return (spent_s(lambda: recorded(chunks, prompts, journal)) - spent_s(lambda: bare(chunks, prompts))) / CELL_REQUESTS


def spent_s(work: Callable[[], Awaitable[None]]) -> float:
    """Return the processor time that work takes of this process, all threads together."""

    async def run() -> float:
        started_s = time.process_time()
        await work()
        return time.process_time() - started_s

    return asyncio.run(run())


async def bare(chunks: int, prompts: tuple[EncodedPrompt, ...]) -> None:
    """Receive every chunk and keep nothing but the number of tokens."""
    engine, tokens, turns = FakeEngine(), 0, iter(range(CELL_REQUESTS))

    async def slot() -> None:
        nonlocal tokens
        for turn in turns:
            request = GenerationRequest(f"bare-{turn}", prompts[turn % len(prompts)].tokens, chunks, 0.0, True, None)
            async for chunk in engine.generate(request):
                tokens += len(chunk.token_ids)

    await asyncio.gather(*(slot() for _ in range(CONCURRENCY)))


async def recorded(chunks: int, prompts: tuple[EncodedPrompt, ...], journal: Journal) -> None:
    """Run a cell as a run does, every request journalled."""
    protocol = plan(requests=CELL_REQUESTS, chunks=chunks, concurrency=CONCURRENCY)
    clock = RunClock.starting_at(SystemClock())

    def finished(trace: RequestTrace) -> None:
        kept = kept_trace(trace, protocol.telemetry)
        journal.append("request", t=clock.now(), **{name: getattr(kept, name) for name in RequestTrace.__slots__})

    cell = PlannedCell(protocol.baseline.id, protocol.loads[0].id, 1)
    run = CellRun(plan=protocol, cell=cell, prompts=prompts, engine=FakeEngine(), clock=clock, record=finished)
    await run.run()
