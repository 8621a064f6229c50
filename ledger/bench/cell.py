"""One cell of a run: warm-up, an empty prefix cache, then the measured requests at one load."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from ledger.bench.clock import RunClock
from ledger.bench.engine import Engine, GenerationRequest
from ledger.bench.exchange import Response, exchange, unsent
from ledger.bench.load import arrivals_s, closed_loop, open_loop
from ledger.bench.plan import Cell
from ledger.model.protocol import Load, Protocol
from ledger.model.trace import Phase, RequestTrace

WARM_UP_IN_FLIGHT = 4
"""Concurrency of the warm-up before an open loop."""
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
    ) -> None:
        self.plan, self.cell, self.prompts = plan, cell, prompts
        self.engine, self.clock, self.finished = engine, clock, finished
        self.load = next(load for load in plan.loads if load.id == cell.load)
        self.engine_died = False
        self.cache_was_reset = True

    async def run(self) -> None:
        """Send every request of the cell."""
        warm_up = self.asked("warm-up", self.plan.warm_up_requests)
        await closed_loop(warm_up, concurrency=self.load.concurrency or WARM_UP_IN_FLIGHT, send=self.send, clock=self.clock)
        self.cache_was_reset = self.engine_died or await reset_cache(self.engine)
        measured = self.asked("measured", self.load.requests)
        if self.load.kind == "closed":
            await closed_loop(measured, concurrency=self.load.concurrency or 1, send=self.send, clock=self.clock)
        else:
            await open_loop(measured, arrivals_s=arrivals_of(self.plan, self.load, self.cell.repeat), send=self.send, clock=self.clock)

    def asked(self, phase: Phase, count: int) -> list[Asked]:
        """Return the requests of a phase: measured ones take the prompts in order, the warm-up from the end backwards."""
        order = self.prompts if phase == "measured" else self.prompts[::-1]
        chosen = [order[index % len(order)] for index in range(count)]
        return [Asked(phase, index, prompt.id, prompt.tokens) for index, prompt in enumerate(chosen)]

    async def send(self, asked: Asked, scheduled_s: float) -> float:
        """Send one request and return the instant at which it ended; once the engine has died nothing more is sent."""
        response = unsent(self.clock) if self.engine_died else await exchange(self.engine, self.request(asked), self.clock)
        self.engine_died = self.engine_died or response.engine_died
        self.finished(trace_of(self.cell, asked, scheduled_s, response))
        return response.ended_s

    def request(self, asked: Asked) -> GenerationRequest:
        """Return what the engine gets; random sampling is seeded by the prompt's place, the same on every arm."""
        cell, sampling = self.cell, self.plan.sampling
        return GenerationRequest(
            id=f"{cell.arm}-{cell.load}-r{cell.repeat}-{asked.phase}-{asked.index}",
            prompt_token_ids=asked.tokens,
            max_tokens=sampling.max_tokens,
            temperature=float(sampling.temperature),
            ignore_eos=sampling.ignore_eos,
            seed=self.plan.seed + asked.index if sampling.temperature else None,
        )


def arrivals_of(plan: Protocol, load: Load, repeat: int) -> tuple[float, ...]:
    """Return the arrivals of a load in a repeat, the same on every arm, so that arms are compared under one load."""
    return arrivals_s(load, load.requests, seed=f"{plan.seed}/{load.id}/{repeat}")


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
