"""An engine that gives its chunks without a wait: what is left of the time is the runner's own."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from decimal import Decimal

from ledger.bench.engine.interface import Chunk, Engine, GenerationRequest, Memory, Scalars
from ledger.bench.plan.workload import Prompt
from ledger.errors import Problem
from ledger.model.records.protocol import Arm, Load, Model, Protocol, Sampling, Telemetry
from ledger.model.records.run import Measure


@dataclass(frozen=True, slots=True)
class FakeEngine:
    """Implements `ledger.bench.engine.interface.Engine`; every request gets one token a chunk until its limit."""

    async def start(self) -> None:
        """Be ready."""

    async def stop(self) -> None:
        """Leave nothing."""

    def kill(self) -> None:
        """Have no process to end."""

    async def generate(self, request: GenerationRequest) -> AsyncGenerator[Chunk, None]:
        """Yield chunks, letting the other requests run after each, as an engine's do."""
        last = request.max_tokens - 1
        for number in range(last):
            await asyncio.sleep(0)
            yield Chunk((number,), " word")
        yield Chunk((last,), " word", "length", cached_tokens=0)

    async def reset_prefix_cache(self) -> bool:
        """Have no cache to keep."""
        return True

    def effective_configuration(self) -> Scalars:
        """Nothing to settle."""
        return {}

    def memory(self) -> Memory:
        """None used."""
        return Memory()

    def count_anew(self) -> None:
        """Count nothing."""

    def counted(self) -> dict[str, Measure]:
        """Nothing to tell."""
        return {}

    def process_ids(self) -> tuple[int, ...]:
        """None: it runs here."""
        return ()


class FakeBackend:
    """Implements `ledger.bench.engine.interface.Backend`."""

    def preflight(self, *_: object) -> list[Problem]:
        """Find nothing wrong."""
        return []

    def encode(self, *_: object) -> tuple[int, ...]:
        """Return as many tokens as a prompt of the project's workload has."""
        return tuple(range(200))

    def engine(self, *_: object) -> Engine:
        """Return a new fake."""
        return FakeEngine()

    def environment(self) -> Scalars:
        """No machine to speak of."""
        return {"hardware": "none", "engine": "fake"}


def plan(*, requests: int, chunks: int, concurrency: int = 8) -> Protocol:
    """Return a protocol of two arms at one closed load, for the fake engine."""
    return Protocol(
        id="fake",
        question="What does the runner cost?",
        model=Model(name="none", source="none", licence="none"),
        engine={},
        arms=(Arm(id="base"), Arm(id="again", repeats_of="base")),
        loads=(Load(id="closed", concurrency=concurrency, requests=requests, start="together"),),
        sampling=Sampling(temperature=Decimal(0), max_tokens=chunks),
        workload="none",
        repeats=1,
        seed=1,
        warm_up_requests=0,
        no_discarded_life="nothing warms up",
        telemetry=Telemetry(prompts="hash", outputs="full", allowed_by="nobody"),
    )


def prompts(count: int) -> list[Prompt]:
    """Return prompts that the fake backend encodes."""
    return [Prompt(f"p{number}", ({"role": "user", "content": f"word {number}"},)) for number in range(count)]
