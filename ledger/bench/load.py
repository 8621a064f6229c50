"""When requests are sent: a closed loop keeps a number in flight, an open loop follows arrivals drawn beforehand."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar

from ledger.bench.clock import RunClock
from ledger.model.protocol import Load

T = TypeVar("T")
Send = Callable[[T, float], Awaitable[float]]
"""Sends one request, scheduled at an instant of the run, and returns the instant at which it ended."""

GAMMA_SHAPE = 0.5
"""Gaps of `gamma` arrivals vary 1.41 times as much as their mean: burstier than Poisson, whose factor is 1."""


async def closed_loop(requests: Iterable[T], *, concurrency: int, send: Send[T], clock: RunClock) -> None:
    """Keep `concurrency` requests in flight until all are sent; each is scheduled the moment its slot falls free."""
    waiting = iter(requests)
    start_s = clock.now()

    async def slot() -> None:
        free_s = start_s
        for request in waiting:
            free_s = await send(request, free_s)

    async with asyncio.TaskGroup() as slots:
        for _ in range(concurrency):
            slots.create_task(slot())


async def open_loop(requests: Sequence[T], *, arrivals_s: Sequence[float], send: Send[T], clock: RunClock) -> None:
    """Send each request at its arrival, counted from now, whatever is still in flight."""
    start_s = clock.now()
    async with asyncio.TaskGroup() as in_flight:
        for request, arrival_s in zip(requests, arrivals_s, strict=True):
            await clock.sleep_until(start_s + arrival_s)
            in_flight.create_task(arrive(request, start_s + arrival_s, send))


async def arrive(request: T, scheduled_s: float, send: Send[T]) -> None:
    """Send one request of an open loop."""
    await send(request, scheduled_s)


def arrivals_s(load: Load, count: int, *, seed: str) -> tuple[float, ...]:
    """Return the arrivals of an open loop in seconds from its start; the same seed gives the same arrivals.

    The first request arrives after the first gap. Gaps have the mean `1 / rate_per_s`.
    """
    if load.rate_per_s is None:
        raise ValueError(f"load {load.id}: got no rate_per_s, expected one for an open loop")
    mean_s = 1 / float(load.rate_per_s)
    draw = random.Random(seed)
    match load.arrivals:
        case "constant":
            return tuple(mean_s * (number + 1) for number in range(count))
        case "gamma":
            gaps = [draw.gammavariate(GAMMA_SHAPE, mean_s / GAMMA_SHAPE) for _ in range(count)]
        case _:
            gaps = [draw.expovariate(1 / mean_s) for _ in range(count)]
    total = 0.0
    return tuple(total := total + gap for gap in gaps)
