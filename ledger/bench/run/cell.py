"""One cell of a run: warm-up, an empty or a filled prefix cache, a ramp where the load has one, then the measured requests."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count

from ledger.bench.engine.clock import RunClock
from ledger.bench.engine.interface import Engine, GenerationRequest
from ledger.bench.plan.plan import Cell
from ledger.bench.run.load import Ramp, closed_loop, open_loop, ramped_arrivals_s
from ledger.bench.run.request import Response, exchange, unsent
from ledger.model.records.protocol import Load, Protocol
from ledger.model.trace import Phase, RequestTrace

WARM_UP_IN_FLIGHT = 4
"""Concurrency of what is sent before an open loop."""
RESET_TRIES, RESET_PAUSE_S = 40, 0.05
"""The engine frees a request's blocks a moment after its last token, and forgets no prefix in use."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request of a cell, before it is sent."""

    phase: Phase
    index: int
    prompt_id: str
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EncodedPrompt:
    """A prompt in tokens."""

    id: str
    tokens: tuple[int, ...]


class Afterwards:
    """Hands ended requests over once the slots that they freed have sent their next ones.

    Requests of one batch end together. Were each written down before its slot sends again, the next batch would reach
    the engine one by one instead of at once, and what is measured would depend on who measures.
    """

    def __init__(self, finished: Callable[[RequestTrace], None]) -> None:
        self._finished = finished
        self._ended: list[tuple[Cell, Asked, float, Response]] = []
        self._fault: Exception | None = None

    def take(self, cell: Cell, asked: Asked, scheduled_s: float, response: Response) -> None:
        """Take a request that ended; it is handed over when the event loop next comes round."""
        self.raise_fault()
        if not self._ended:
            asyncio.get_running_loop().call_soon(self._hand_over)
        self._ended.append((cell, asked, scheduled_s, response))

    async def drain(self) -> None:
        """Return when everything taken has been handed over."""
        while self._ended:
            await asyncio.sleep(0)
        self.raise_fault()

    def raise_fault(self) -> None:
        """Raise what kept a request from being handed over, such as a full disk, where somebody awaits it."""
        if self._fault is not None:
            raise self._fault

    def _hand_over(self) -> None:
        ended, self._ended = self._ended, []
        try:
            for one in ended:
                self._finished(trace_of(*one))
        except Exception as fault:  # noqa: BLE001 - nobody awaits a callback; `raise_fault` raises it in the cell's own task
            self._fault = fault


class CellRun:
    """Runs one cell on a started engine and hands over each request as it ends."""

    def __init__(
        self,
        *,
        plan: Protocol,
        cell: Cell,
        prompts: tuple[EncodedPrompt, ...],
        engine: Engine,
        clock: RunClock,
        finished: Callable[[RequestTrace], None],
        measuring: Callable[[], None] = lambda: None,
    ) -> None:
        self.plan, self.cell, self.prompts = plan, cell, prompts
        self.engine, self.clock, self.afterwards = engine, clock, Afterwards(finished)
        self.measuring = measuring  # called with every measured request: under a ramp nobody knows which one is the first
        self.load = next(load for load in plan.loads if load.id == cell.load)
        self.engine_died = False
        self.cache_was_reset = True

    async def run(self) -> None:
        """Send every request of the cell."""
        await self.beforehand(self.asked("warm-up", self.plan.warm_up_requests))
        self.cache_was_reset = self.engine_died or await reset_cache(self.engine)
        if self.load.cache == "warm":
            await self.beforehand(self.priming())
        measured = self.asked("measured", self.load.requests)
        if self.load.kind == "closed":
            ramp = Ramp(float(self.load.ramp_s), self.ramping()) if self.load.ramp_s else None
            await closed_loop(measured, concurrency=self.load.concurrency or 1, send=self.send, clock=self.clock, ramp=ramp)
        else:
            during, following = arrivals_of(self.plan, self.load, self.cell.repeat)
            ramp_requests = self.asked("ramp", len(during))
            await open_loop([*ramp_requests, *measured], arrivals_s=(*during, *following), send=self.send, clock=self.clock)
        await self.afterwards.drain()

    async def beforehand(self, requests: list[Asked]) -> None:
        """Send requests that come before the load, at its concurrency, and wait for their ends."""
        await closed_loop(requests, concurrency=self.load.concurrency or WARM_UP_IN_FLIGHT, send=self.send, clock=self.clock)

    def asked(self, phase: Phase, number: int) -> list[Asked]:
        """Return the requests of a phase: measured ones take the prompts in order, all others from the end backwards."""
        return [self.one(phase, index) for index in range(number)]

    def one(self, phase: Phase, index: int) -> Asked:
        """Return one request of a phase, counted from 0."""
        place = index % len(self.prompts)
        prompt = self.prompts[place] if phase == "measured" else self.prompts[-1 - place]
        return Asked(phase, index, prompt.id, prompt.tokens)

    def ramping(self) -> Iterator[Asked]:
        """Yield the requests of a closed loop's ramp while the engine lives; a dead one would refuse without end."""
        for index in count():
            if self.engine_died:
                return
            yield self.one("ramp", index)

    def priming(self) -> list[Asked]:
        """Return one request for each prompt that the measured ones use, counted on from the warm-up."""
        used = self.prompts[: self.load.requests]
        return [Asked("warm-up", self.plan.warm_up_requests + place, prompt.id, prompt.tokens) for place, prompt in enumerate(used)]

    async def send(self, asked: Asked, scheduled_s: float) -> float:
        """Send one request and return the instant at which it ended; once the engine has died nothing more is sent."""
        if asked.phase == "measured":
            self.measuring()
        request = request_of(self.plan, f"{self.cell.arm}-{self.cell.load}-r{self.cell.repeat}-{asked.phase}-{asked.index}", asked)
        response = unsent(self.clock) if self.engine_died else await exchange(self.engine, request, self.clock)
        self.engine_died = self.engine_died or response.engine_died
        self.afterwards.take(self.cell, asked, scheduled_s, response)
        return response.ended_s


def request_of(plan: Protocol, request_id: str, asked: Asked) -> GenerationRequest:
    """Return what the engine gets; random sampling is seeded by the request's place, the same on every arm."""
    sampling = plan.sampling
    return GenerationRequest(
        id=request_id,
        prompt_token_ids=asked.tokens,
        max_tokens=sampling.max_tokens,
        temperature=float(sampling.temperature),
        ignore_eos=sampling.ignore_eos,
        seed=plan.seed + asked.index if sampling.temperature else None,
    )


def arrivals_of(plan: Protocol, load: Load, repeat: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the arrivals of a load in a repeat, its ramp's and the measured ones, the same on every arm."""
    return ramped_arrivals_s(load, load.requests, seed=f"{plan.seed}/{load.id}/{repeat}")


async def reset_cache(engine: Engine) -> bool:
    """Make the engine forget its prefixes; False when it would not within a few seconds."""
    for _ in range(RESET_TRIES):
        if await engine.reset_prefix_cache():
            return True
        await asyncio.sleep(RESET_PAUSE_S)
    return False


def trace_of(cell: Cell, asked: Asked, scheduled_s: float, response: Response) -> RequestTrace:
    """Return the whole trace of a request; the telemetry policy is applied where it is written."""
    drafted, accepted = response.steps()
    return RequestTrace(
        arm=cell.arm,
        load=cell.load,
        repeat=cell.repeat,
        phase=asked.phase,
        prompt_id=asked.prompt_id,
        index=asked.index,
        scheduled_s=scheduled_s,
        sent_s=response.sent_s,
        chunks_s=tuple(response.chunks_s),
        chunk_tokens=tuple(response.chunk_tokens),
        outcome=response.outcome,
        finish_reason=response.finish_reason,
        error=response.error,
        prompt_tokens=len(asked.tokens),
        cached_tokens=response.last.cached_tokens if response.last else None,
        steps_drafted=drafted,
        steps_accepted=accepted,
        output_sha256=response.output_sha256,
        output_text=response.text,
        output_token_ids=tuple(response.token_ids),
    )
