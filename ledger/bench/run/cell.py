"""One cell of a run: warm-up, an empty or a filled prefix cache, a ramp where the load has one, then the measured requests."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count

from ledger.bench.engine.clock import RunClock
from ledger.bench.engine.interface import Engine, GenerationRequest
from ledger.bench.plan.plan import PlannedCell, load_of
from ledger.bench.plan.request_sampling import request_seed, shared_sampling
from ledger.bench.run.deferred_recorder import DeferredRecorder
from ledger.bench.run.load import Ramp, closed_loop, open_loop, ramped_arrivals_s
from ledger.bench.run.overhead import Overhead
from ledger.bench.run.streamed_request import EncodedPrompt, LoadRequest, send_request, trace_of, unsent
from ledger.model.records.protocol import Load, Protocol
from ledger.model.trace import Phase, RequestTrace

WARM_UP_IN_FLIGHT = 4
"""Concurrency of what is sent before an open loop."""
RESET_TRIES, RESET_PAUSE_S = 40, 0.05
"""The engine frees a request's blocks a moment after its last token, and forgets no prefix in use."""


class CellRun:
    """Runs one cell on a started engine and records each request as it ends."""

    def __init__(
        self,
        *,
        plan: Protocol,
        cell: PlannedCell,
        prompts: tuple[EncodedPrompt, ...],
        engine: Engine,
        clock: RunClock,
        record: Callable[[RequestTrace], None],
        stagger_s: float = 0.0,
        measuring: Sequence[Callable[[], None]] = (),
    ) -> None:
        self.plan, self.cell, self.prompts, self.stagger_s = plan, cell, prompts, stagger_s
        self.engine, self.clock, self.recorder = engine, clock, DeferredRecorder(record, clock.now)
        self.measuring = measuring  # called with the first measured request, which under a ramp nobody knows beforehand
        self.is_measuring = False
        self.load = load_of(plan, cell)
        self.engine_died = False
        self.cache_was_reset = True
        self.overhead = Overhead(clock, lambda: self.recorder.spent_s + self.receiving_s)
        self.receiving_s = 0.0
        """Seconds that taking chunks apart has taken."""

    async def run(self) -> None:
        """Send every request of the cell."""
        await self.send_beforehand(self.requests("warm-up", self.plan.warm_up_requests))
        self.cache_was_reset = self.engine_died or await reset_cache(self.engine)
        if self.load.cache == "warm":
            await self.send_beforehand(self.priming_requests())
        try:
            await self.send_load()
        finally:
            self.overhead.stop()
        await self.recorder.drain()

    async def send_load(self) -> None:
        """Send the measured requests, after those of the ramp where the load has one."""
        measured = self.requests("measured", self.load.requests)
        if self.load.kind == "closed":
            ramp = Ramp(float(self.load.ramp_s), self.ramp_requests()) if self.load.ramp_s else None
            slots = self.load.concurrency or 1
            await closed_loop(measured, concurrency=slots, send=self.send, clock=self.clock, stagger_s=self.stagger_s, ramp=ramp)
        else:
            during, following = arrivals_of(self.plan, self.load, self.cell.repeat)
            ramp_requests = self.requests("ramp", len(during))
            await open_loop([*ramp_requests, *measured], arrivals_s=(*during, *following), send=self.send, clock=self.clock)

    async def send_beforehand(self, requests: list[LoadRequest]) -> None:
        """Send requests that come before the load, at its concurrency, and wait for their ends."""
        await closed_loop(requests, concurrency=self.load.concurrency or WARM_UP_IN_FLIGHT, send=self.send, clock=self.clock)

    def requests(self, phase: Phase, number: int) -> list[LoadRequest]:
        """Return the requests of a phase: measured ones take the prompts in order, all others from the end backwards."""
        return [self.request(phase, index) for index in range(number)]

    def request(self, phase: Phase, index: int) -> LoadRequest:
        """Return one request of a phase, counted from 0."""
        place = index % len(self.prompts)
        prompt = self.prompts[place] if phase == "measured" else self.prompts[-1 - place]
        return LoadRequest(phase, index, prompt)

    def ramp_requests(self) -> Iterator[LoadRequest]:
        """Yield the requests of a closed loop's ramp while the engine lives; a dead one would refuse without end."""
        for index in count():
            if self.engine_died:
                return
            yield self.request("ramp", index)

    def priming_requests(self) -> list[LoadRequest]:
        """Return one request for each prompt that the measured ones use, counted on from the warm-up."""
        used = self.prompts[: self.load.requests]
        return [LoadRequest("warm-up", self.plan.warm_up_requests + place, prompt) for place, prompt in enumerate(used)]

    async def send(self, request: LoadRequest, scheduled_s: float) -> float:
        """Send one request and return the instant at which it ended; once the engine has died nothing more is sent."""
        if request.phase == "measured" and not self.is_measuring:
            self.is_measuring = True
            for begin in (self.overhead.begin, *self.measuring):
                begin()
        name = f"{self.cell.arm}-{self.cell.load}-r{self.cell.repeat}-{request.phase}-{request.index}"
        generation = generation_request(self.plan, name, request, repeat=self.cell.repeat)
        response = unsent(self.clock) if self.engine_died else await send_request(self.engine, generation, self.clock)
        self.receiving_s += response.own_s
        self.engine_died = self.engine_died or response.engine_died
        self.recorder.defer(partial(trace_of, self.cell, request, scheduled_s, response=response))
        return response.ended_s


def generation_request(plan: Protocol, request_id: str, request: LoadRequest, *, repeat: int) -> GenerationRequest:
    """Return what the engine gets; random sampling is seeded by the request's place, the same on every arm."""
    return GenerationRequest(
        id=request_id,
        prompt_token_ids=request.prompt.tokens,
        max_tokens=request.prompt.max_tokens or plan.sampling.max_tokens,
        seed=request_seed(plan, repeat=repeat, index=request.index),
        **shared_sampling(plan.sampling),
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
