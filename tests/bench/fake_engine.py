"""An engine with known token times; it implements the runner's real interface, so nothing of the runner is replaced."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ledger.bench.engine.interface import Chunk, Engine, GenerationRequest, Memory, Messages, RequestError, Scalars
from ledger.bench.plan.suite_items import SuiteItem
from ledger.bench.plan.workload import Prompt
from ledger.errors import EnvironmentFaultError, Problem
from ledger.model.records.protocol import Arm, Protocol
from ledger.model.records.run import Measure


@dataclass(frozen=True)
class Step:
    """One delivery: so many seconds after the one before it, so many tokens."""

    after_s: float
    tokens: int


@dataclass(frozen=True)
class Script:
    """What the engine does with a request."""

    steps: tuple[Step, ...] = (Step(0.100, 1), Step(0.010, 1), Step(0.010, 1))
    finish_reason: str | None = "length"
    drafted: tuple[int, ...] | None = None
    accepted: tuple[int, ...] | None = None
    fails: str | None = None
    """Message with which the request fails after its steps."""
    kills: bool = False
    """Whether that failure takes the engine along."""
    text: str = "w"
    """Text of every token."""


Playwright = Callable[[GenerationRequest], Script]


@dataclass
class FakeEngine:
    """One life of the fake."""

    arm: Arm
    script_of: Playwright
    start_up_s: float = 5.0
    alive: bool = False
    in_flight: int = 0
    most_in_flight: int = 0
    resets: int = 0
    received: list[GenerationRequest] = field(default_factory=list)
    configuration: Scalars = field(default_factory=lambda: {"scheduler_config.async_scheduling": False})
    refuses_resets: int = 0
    was_killed: bool = False
    holds_blocks_s: float = 0.0
    """How long a request's blocks stay taken after its end."""
    freed_s: float = 0.0

    async def start(self) -> None:
        """Take the known time."""
        await asyncio.sleep(self.start_up_s)
        self.alive = True

    async def stop(self) -> None:
        """Be gone."""
        self.alive = False

    def kill(self) -> None:
        """Be gone at once; requests in flight notice when their next chunk is due."""
        self.alive = False
        self.was_killed = True

    async def generate(self, request: GenerationRequest) -> AsyncGenerator[Chunk, None]:
        """Deliver what the script says, when it says so."""
        if not self.alive:
            raise RequestError("EngineDeadError: gone", engine_died=True)
        self.received.append(request)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            async for chunk in self.play(self.script_of(request)):
                yield chunk
        finally:
            self.in_flight -= 1
            self.freed_s = asyncio.get_running_loop().time() + self.holds_blocks_s

    async def play(self, script: Script) -> AsyncGenerator[Chunk, None]:
        """Yield a script's chunks at their times."""
        number = 0
        for place, step in enumerate(script.steps):
            await asyncio.sleep(step.after_s)
            if not self.alive:
                raise RequestError("EngineDeadError: gone", engine_died=True)
            last = place == len(script.steps) - 1 and script.fails is None
            ids = tuple(range(number, number + step.tokens))
            number += step.tokens
            yield Chunk(
                ids,
                script.text * step.tokens,
                script.finish_reason if last else None,
                cached_tokens=0 if last else None,
                drafted=script.drafted if last else None,
                accepted=script.accepted if last else None,
            )
        if script.fails is not None:
            self.alive = self.alive and not script.kills
            raise RequestError(script.fails, engine_died=script.kills)

    async def reset_prefix_cache(self) -> bool:
        """Count resets; refuse the first few where asked to, and any while a request holds blocks."""
        self.resets += 1
        is_free = self.in_flight == 0 and asyncio.get_running_loop().time() >= self.freed_s
        return self.resets > self.refuses_resets and is_free and self.alive

    def effective_configuration(self) -> Scalars:
        """The same on every arm unless the test says otherwise."""
        return self.configuration

    def memory(self) -> Memory:
        """Known figures."""
        return Memory(weights_bytes=1000, kv_cache_bytes=500, kv_cache_tokens=64, resident_peak_bytes=2000)

    def count_anew(self) -> None:
        """Count nothing."""

    def counted(self) -> dict[str, Measure]:
        """Nothing to tell."""
        return {}

    def process_ids(self) -> tuple[int, ...]:
        """None: it runs here."""
        return ()


class FakeBackend:
    """Makes fakes and remembers them."""

    def __init__(
        self,
        script_of: Playwright = lambda _: Script(),
        *,
        problems: Sequence[Problem] = (),
        missing: str | None = None,
        prepare: Callable[[FakeEngine], None] = lambda _: None,
    ) -> None:
        self.script_of, self.problems, self.missing, self.prepare = script_of, list(problems), missing, prepare
        self.engines: list[FakeEngine] = []

    def preflight(self, plan: Protocol, prompts: Sequence[Prompt], items: Sequence[SuiteItem]) -> list[Problem]:
        """Report what the test planted."""
        if self.missing:
            raise EnvironmentFaultError(self.missing)
        return self.problems

    def encode(self, messages: Messages, tools: Sequence[Mapping[str, Any]] = ()) -> tuple[int, ...]:
        """One token a word."""
        return tuple(range(sum(len(str(message["content"]).split()) for message in messages)))

    def engine(self, arm: Arm, log: Path) -> Engine:
        """Return a new fake."""
        engine = FakeEngine(arm, self.script_of)
        self.prepare(engine)
        self.engines.append(engine)
        return engine

    def environment(self) -> Scalars:
        """A known machine."""
        return {"hardware": "a fake", "engine": "fake 1.0"}
