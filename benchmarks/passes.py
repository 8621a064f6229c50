"""The 64 requests that every side of a comparison sends, through a bare loop or as a cell of a run, on one engine."""

import asyncio
import gc
import random
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from benchmarks.timing import ROOT
from ledger.api import Ledger
from ledger.bench.engine.clock import RunClock, SystemClock
from ledger.bench.engine.interface import GenerationRequest
from ledger.bench.engine.redaction import kept_trace
from ledger.bench.journal.journal import Journal
from ledger.bench.models.demo_model import small_model_path
from ledger.bench.plan.plan import PlannedCell
from ledger.bench.run.cell import CellRun, reset_cache
from ledger.bench.run.streamed_request import EncodedPrompt
from ledger.bench.vllm.backend import VllmBackend
from ledger.bench.vllm.engine import VllmEngine, sampling
from ledger.model.records.protocol import Protocol
from ledger.model.trace import RequestTrace

REQUESTS, TOKENS, CONCURRENCY = 64, 32, 8
_NUMBERS = count(1)


@dataclass(frozen=True, slots=True)
class Pass:
    """What one pass over the requests showed; medians are over its requests."""

    tokens_per_s: float
    ttft_s: float
    """From the send."""
    tpot_s: float
    cpu_s_per_token: float | None = None
    """Processor time of this process alone, all its threads; the engine's is its own. None where it was not read."""


@dataclass(frozen=True, slots=True)
class Times:
    """The stamps of one request, in seconds on one clock."""

    sent_s: float
    first_s: float
    last_s: float
    first_tokens: int
    tokens: int


@dataclass(frozen=True)
class Bench:
    """One running engine and what is sent to it."""

    plan: Protocol
    engine: VllmEngine
    prompts: tuple[EncodedPrompt, ...]
    clock: RunClock
    journal: Journal

    async def bare(self) -> Pass:
        """Return a pass of a loop that takes two stamps a request and keeps nothing else."""
        found: list[Times] = []
        turns = iter(range(REQUESTS))
        now = time.monotonic

        async def slot() -> None:
            for turn in turns:
                request = GenerationRequest("", (), TOKENS, 0.0, True, None)
                prompt = {"type": "token", "prompt_token_ids": list(self.prompts[turn % len(self.prompts)].tokens)}
                first_s, first_tokens, tokens = 0.0, 0, 0
                sent_s = now()
                async for output in self.engine._llm.generate(prompt, sampling(request), f"bare-{next(_NUMBERS)}"):
                    if not tokens:
                        first_s, first_tokens = now(), len(output.outputs[0].token_ids)
                    tokens += len(output.outputs[0].token_ids)
                found.append(Times(sent_s, first_s, now(), first_tokens, tokens))

        started = now(), time.process_time()
        await asyncio.gather(*(slot() for _ in range(CONCURRENCY)))
        return passed(found, now() - started[0], time.process_time() - started[1])

    async def recorded(self) -> Pass:
        """Return a pass of a cell as a run executes it, every request journalled."""
        traces: list[RequestTrace] = []

        def finished(trace: RequestTrace) -> None:
            kept = kept_trace(trace, self.plan.telemetry)
            self.journal.append("request", t=self.clock.now(), **{name: getattr(kept, name) for name in RequestTrace.__slots__})
            traces.append(trace)

        cell = PlannedCell(self.plan.baseline.id, self.plan.loads[0].id, next(_NUMBERS))  # its repeat names its requests
        run = CellRun(plan=self.plan, cell=cell, prompts=self.prompts, engine=self.engine, clock=self.clock, record=finished)
        started = time.monotonic(), time.process_time()
        await run.run()
        spent = time.monotonic() - started[0], time.process_time() - started[1]
        found = [Times(one.sent_s, one.chunks_s[0], one.chunks_s[-1], one.chunk_tokens[0], one.output_tokens) for one in traces]
        return passed(found, *spent)


def passed(found: Sequence[Times], wall_s: float, cpu_s: float) -> Pass:
    """Return a pass from its requests' stamps."""
    tokens = sum(one.tokens for one in found)
    return Pass(
        tokens_per_s=tokens / wall_s,
        ttft_s=statistics.median(one.first_s - one.sent_s for one in found),
        tpot_s=statistics.median((one.last_s - one.first_s) / (one.tokens - one.first_tokens) for one in found),
        cpu_s_per_token=cpu_s / tokens,
    )


def protocol() -> Protocol:
    """Return the project's main protocol, cut to its baseline and one load without warm-up."""
    main_plan = Ledger.open(ROOT).plans.protocol("main")
    load = main_plan.loads[0].model_copy(update={"id": "pairs", "concurrency": CONCURRENCY, "requests": REQUESTS})
    sampled = main_plan.sampling.model_copy(update={"max_tokens": TOKENS})
    return main_plan.model_copy(update={"loads": (load,), "sampling": sampled, "warm_up_requests": 0, "rules": (), "decision": None})


def encoded(plan: Protocol, backend: VllmBackend) -> tuple[EncodedPrompt, ...]:
    """Return the prompts that are sent, in tokens and in order."""
    prompts = Ledger.open(ROOT).plans.inputs(plan).prompts[:REQUESTS]
    return tuple(EncodedPrompt(prompt.id, backend.encode(prompt.messages)) for prompt in prompts)


@asynccontextmanager
async def running() -> AsyncIterator[Bench]:
    """Give a started engine that has answered every prompt once."""
    plan = protocol()
    backend = VllmBackend(plan, small_model_path())
    prompts = encoded(plan, backend)
    with tempfile.TemporaryDirectory() as folder, Journal.create(Path(folder) / "journal.jsonl") as journal:
        engine = backend.engine(plan.baseline, Path(folder) / "engine.log")
        assert isinstance(engine, VllmEngine)
        await engine.start()
        try:
            gc.collect()
            gc.freeze()  # as a run does
            bench = Bench(plan, engine, prompts, RunClock.starting_at(SystemClock()), journal)
            await bench.bare()
            yield bench
        finally:
            await engine.stop()
            gc.unfreeze()


async def one_pass(bench: Bench, side: str) -> Pass:
    """Return a pass of one side, `recorded` or any other name for the bare loop."""
    await reset_cache(bench.engine)
    gc.collect()  # no side pays for what the one before it left
    return await (bench.recorded() if side == "recorded" else bench.bare())


def interval(ratios: Sequence[float], *, resamples: int = 4000) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of the median."""
    chance = random.Random(0)
    medians = sorted(statistics.median(chance.choices(ratios, k=len(ratios))) for _ in range(resamples))
    return medians[round(0.025 * resamples)], medians[round(0.975 * resamples) - 1]
