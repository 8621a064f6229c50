"""The runner beside a bare AsyncLLM loop: one engine, the same prompts and settings, interleaved pairs."""

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from benchmarks.timing import ROOT
from ledger.api import Ledger
from ledger.bench.cell import CellRun, EncodedPrompt, reset_cache
from ledger.bench.clock import RunClock, SystemClock
from ledger.bench.engine import GenerationRequest
from ledger.bench.journal import Journal
from ledger.bench.model_files import small_model_path
from ledger.bench.plan import Cell
from ledger.bench.telemetry import kept_trace
from ledger.bench.vllm_backend import VllmBackend
from ledger.bench.vllm_engine import VllmEngine, sampling
from ledger.model.protocol import Protocol
from ledger.model.trace import RequestTrace

PAIRS, REQUESTS, TOKENS, CONCURRENCY = 9, 64, 32, 8
_NUMBERS = count()


@dataclass(frozen=True)
class Bench:
    """One running engine and what both sides send it."""

    plan: Protocol
    engine: VllmEngine
    prompts: tuple[EncodedPrompt, ...]
    clock: RunClock
    journal: Journal

    async def bare(self) -> float:
        """Return output tokens per second of a loop that keeps nothing but their number."""
        tokens = 0
        turns = iter(range(REQUESTS))

        async def slot() -> None:
            nonlocal tokens
            for turn in turns:
                request = GenerationRequest("", (), TOKENS, 0.0, True, None)
                prompt = {"type": "token", "prompt_token_ids": list(self.prompts[turn % len(self.prompts)].tokens)}
                async for output in self.engine._llm.generate(prompt, sampling(request), f"bare-{next(_NUMBERS)}"):
                    tokens += len(output.outputs[0].token_ids)

        started = time.monotonic()
        await asyncio.gather(*(slot() for _ in range(CONCURRENCY)))
        return tokens / (time.monotonic() - started)

    async def recorded(self, repeat: int) -> float:
        """Return output tokens per second of a cell as a run executes it, every request journalled."""
        traces: list[RequestTrace] = []

        def finished(trace: RequestTrace) -> None:
            kept = kept_trace(trace, self.plan.telemetry)
            self.journal.append("request", t=self.clock.now(), **{name: getattr(kept, name) for name in RequestTrace.__slots__})
            traces.append(trace)

        cell = Cell(self.plan.baseline.id, self.plan.loads[0].id, repeat)
        run = CellRun(plan=self.plan, cell=cell, prompts=self.prompts, engine=self.engine, clock=self.clock, finished=finished)
        started = time.monotonic()
        await run.run()
        return sum(trace.output_tokens for trace in traces) / (time.monotonic() - started)


def protocol() -> Protocol:
    """Return the project's main protocol, cut to its baseline and one load without warm-up."""
    main_plan = Ledger.open(ROOT).runs.protocol("main")
    load = main_plan.loads[0].model_copy(update={"id": "pairs", "concurrency": CONCURRENCY, "requests": REQUESTS})
    sampled = main_plan.sampling.model_copy(update={"max_tokens": TOKENS})
    return main_plan.model_copy(update={"loads": (load,), "sampling": sampled, "warm_up_requests": 0, "rules": (), "decision": None})


def main() -> None:
    """Print the ratio of throughputs, its interval over the pairs, and each pair."""
    with tempfile.TemporaryDirectory() as folder:
        ratios = asyncio.run(_pairs(Path(folder)))
    low, high = interval(ratios)
    print(f"runner / bare loop: median {statistics.median(ratios):.3f} (95 % interval {low:.3f} to {high:.3f}, {len(ratios)} pairs)")


async def _pairs(folder: Path) -> list[float]:
    plan = protocol()
    backend = VllmBackend(plan, small_model_path())
    prompts = tuple(EncodedPrompt(prompt.id, backend.encode(prompt.messages)) for prompt in Ledger.open(ROOT).runs.inputs(plan).prompts)
    engine = backend.engine(plan.baseline, folder / "engine.log")
    assert isinstance(engine, VllmEngine)
    await engine.start()
    with Journal.create(folder / "journal.jsonl") as journal:
        bench = Bench(plan, engine, prompts, RunClock.starting_at(SystemClock()), journal)
        await bench.bare()
        ratios = [await _pair(bench, number) for number in range(PAIRS)]
    await engine.stop()
    return ratios


async def _pair(bench: Bench, number: int) -> float:
    figures: dict[str, float] = {}
    for side in ("bare", "recorded") if number % 2 else ("recorded", "bare"):
        await reset_cache(bench.engine)
        figures[side] = await (bench.bare() if side == "bare" else bench.recorded(number + 1))
    print(f"pair {number + 1}: bare {figures['bare']:.1f} tok/s, recorded {figures['recorded']:.1f} tok/s", flush=True)
    return figures["recorded"] / figures["bare"]


def interval(ratios: Sequence[float], *, resamples: int = 4000) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of the median."""
    chance = random.Random(0)
    medians = sorted(statistics.median(chance.choices(ratios, k=len(ratios))) for _ in range(resamples))
    return medians[round(0.025 * resamples)], medians[round(0.975 * resamples) - 1]
