"""Fault drills: a fault caused on purpose on a started engine, and what it took until the engine served again.

They come after an arm's cells and suites and enter no other statistic. A request that failed is a row with its reason,
and an engine that does not come back is a result: neither ends the run.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

from ledger.analysis.measures.drills import CLIENT_LEFT, probe_before_index, probe_index
from ledger.bench.engine.clock import RunClock
from ledger.bench.engine.interface import Engine
from ledger.bench.engine.redaction import anonymous
from ledger.bench.plan.plan import PlannedCell
from ledger.bench.run.cell import generation_request
from ledger.bench.run.load import arrivals_s, closed_loop, open_loop
from ledger.bench.run.signals import started
from ledger.bench.run.streamed_request import EncodedPrompt, Leaves, LoadRequest, Response, send_request, trace_of, unsent
from ledger.errors import EnvironmentFaultError
from ledger.model.records.protocol import Drill, Load, Protocol
from ledger.model.trace import RequestTrace

LOOK_EVERY_S = 0.02
"""How often the engine is asked whether its blocks are free: what a release can be measured to."""
RELEASE_WITHIN_S = 30.0
"""An engine that still holds blocks so long after the last request is taken not to release them."""


class EngineSlot:
    """The engine of an arm under drills; one that died is replaced when it is needed again."""

    def __init__(self, engine: Engine, new: Callable[[], Engine]) -> None:
        self.engine = engine
        self.is_dead = False
        self._new = new

    async def fill(self) -> str | None:
        """Start a new engine and return why it did not come back; None when it did. The old one has been stopped."""
        self.engine = self._new()
        try:
            await started(self.engine)
        except EnvironmentFaultError as fault:
            return f"the engine did not come back: {anonymous(str(fault))}"
        self.is_dead = False
        return None


class DrillRun:
    """Runs one drill on one arm and records each request as it ends; `instants_s` says what happened when."""

    def __init__(
        self,
        *,
        plan: Protocol,
        arm: str,
        drill: Drill,
        prompts: Sequence[EncodedPrompt],
        slot: EngineSlot,
        clock: RunClock,
        record: Callable[[RequestTrace], None],
    ) -> None:
        self.plan, self.arm, self.drill, self.prompts = plan, arm, drill, prompts
        self.slot, self.clock, self.record = slot, clock, record
        self.instants_s: dict[str, float] = {}
        self.responses: list[Response] = []
        self.why_absent: str | None = None

    async def run(self) -> None:
        """Cause the fault, wait for its end, then ask for one answer more."""
        if self.slot.is_dead:  # an earlier drill's fault; nothing of this one's
            await self.slot.engine.stop()
            self.why_absent = await self.slot.fill()
        if self.why_absent is None:
            await self.empty_cache()  # so that prompts are read and not remembered
            await {"disconnect": self.disconnect, "engine-killed": self.kill, "overload": self.overload}[self.drill.kind]()
        await self.probe(probe_index(self.drill))

    async def disconnect(self) -> None:
        """Let every second client leave in mid-stream, and wait until the blocks of all requests are free."""

        async def send(request: LoadRequest, scheduled_s: float) -> float:
            leaves = (lambda chunks: chunks >= self.drill.after_chunks) if request.index % 2 else None
            return await self.send(request, scheduled_s, leaves)

        await closed_loop(self.requests(), concurrency=self.drill.requests, send=send, clock=self.clock)
        if left := [response.ended_s for response in self.responses if response.error == CLIENT_LEFT]:
            self.instants_s["fault"] = max(left)
        await self.settle()

    async def kill(self) -> None:
        """Kill the engine once every request has delivered its chunks or ended, and start another."""
        ahead = set(range(self.drill.requests))

        def reached(index: int) -> None:
            ahead.discard(index)
            if not ahead and "fault" not in self.instants_s:
                self.instants_s["fault"] = self.clock.now()
                self.slot.engine.kill()

        def seen(index: int, chunks: int) -> bool:
            if chunks >= self.drill.after_chunks:
                reached(index)
            return False

        async def send(request: LoadRequest, scheduled_s: float) -> float:
            ended_s = await self.send(request, scheduled_s, partial(seen, request.index))
            reached(request.index)
            return ended_s

        await closed_loop(self.requests(), concurrency=self.drill.requests, send=send, clock=self.clock)
        failed = [one.ended_s for one in self.responses if one.outcome == "failed" and one.ended_s >= self.instants_s["fault"]]
        if failed and not any(response.outcome == "aborted" for response in self.responses):
            self.instants_s["noticed"] = max(failed)
        await self.restart()

    async def restart(self) -> None:
        """Stop what is left of the engine and start another."""
        self.slot.is_dead = True
        await self.slot.engine.stop()
        self.mark("stopped")
        self.why_absent = await self.slot.fill()
        if self.why_absent is None:
            self.mark("restarted")

    async def overload(self) -> None:
        """Let requests arrive at the drill's rate whatever is in flight, after a probe, and wait until all have ended."""
        await self.probe(probe_before_index(self.drill))
        await self.empty_cache()
        start_s, arrivals = self.clock.now(), drill_arrivals_s(self.plan, self.drill)
        await open_loop(self.requests(), arrivals_s=arrivals, send=self.send, clock=self.clock)
        self.instants_s["fault"] = start_s + arrivals[-1]
        await self.settle()

    async def settle(self) -> None:
        """Note when the last request ended, and when the engine held no block any more."""
        self.instants_s["ended"] = max(response.ended_s for response in self.responses)
        if await self.empty_cache():
            self.mark("released")

    async def empty_cache(self) -> bool:
        """Make the engine forget its prefixes, which it can once no request holds a block; False when it did not."""
        until_s = self.clock.now() + RELEASE_WITHIN_S
        while not self.slot.is_dead:
            if await self.slot.engine.reset_prefix_cache():
                return True
            if self.clock.now() >= until_s:
                return False
            await asyncio.sleep(LOOK_EVERY_S)
        return False

    async def probe(self, index: int) -> None:
        """Ask for one answer; the probe before a fault and the one after it take the same prompt."""
        await self.send(self.request(index, prompt=self.drill.requests), self.clock.now())

    async def send(self, request: LoadRequest, scheduled_s: float, leaves: Leaves | None = None) -> float:
        """Send one request and return the instant at which it ended; without an engine it is only recorded."""
        if self.slot.is_dead:
            response = unsent(self.clock)
            response.error = self.why_absent or response.error
        else:
            generation = generation_request(self.plan, f"{self.arm}-{self.drill.id}-drill-{request.index}", request, repeat=1)
            response = await send_request(self.slot.engine, generation, self.clock, leaves=leaves)
        self.slot.is_dead = self.slot.is_dead or response.engine_died
        if request.index < self.drill.requests:
            self.responses.append(response)
        self.record(trace_of(PlannedCell(self.arm, self.drill.id, 1), request, scheduled_s, response=response))
        return response.ended_s

    def requests(self) -> list[LoadRequest]:
        """Return the drill's requests, probes apart: the prompts in the workload's order, from the start again when used up."""
        return [self.request(index, prompt=index) for index in range(self.drill.requests)]

    def request(self, index: int, *, prompt: int) -> LoadRequest:
        """Return one request of the drill with the prompt at a place of the workload."""
        chosen = self.prompts[prompt % len(self.prompts)]
        return LoadRequest("drill", index, chosen)

    def mark(self, name: str) -> None:
        """Note an instant."""
        self.instants_s[name] = self.clock.now()


def drill_arrivals_s(plan: Protocol, drill: Drill) -> tuple[float, ...]:
    """Return the arrivals of an overload in seconds from its start, the same on every arm."""
    load = Load(id=drill.id, kind="open", rate_per_s=drill.rate_per_s, arrivals="poisson", requests=drill.requests)
    return arrivals_s(load, drill.requests, seed=f"{plan.seed}/{drill.id}")
