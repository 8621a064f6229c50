"""When requests are sent: a closed loop keeps a number in flight, an open loop follows arrivals drawn beforehand.

A closed loop's slots start one after another, spread over some seconds, so that requests of equal length are not in lock
step. Either may ramp up first: its slots take other requests until the ramp ends, or its rate grows evenly from nothing.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, count, islice
from math import sqrt
from typing import Generic, TypeVar

from ledger.bench.engine.clock import RunClock
from ledger.model.records.protocol import Load

T = TypeVar("T")
Send = Callable[[T, float], Awaitable[float]]
"""Sends one request, scheduled at an instant of the run, and returns the instant at which it ended."""

GAMMA_SHAPE = 0.5
"""Gaps of `gamma` arrivals vary 1.41 times as much as their mean: burstier than Poisson, whose factor is 1."""


@dataclass(frozen=True, slots=True)
class Ramp(Generic[T]):
    """The growth of a closed loop before its measured requests."""

    duration_s: float
    requests: Iterator[T]
    """What is sent meanwhile; when it ends, the slots go on with the measured requests."""


async def closed_loop(
    requests: Iterable[T],
    *,
    concurrency: int,
    send: Send[T],
    clock: RunClock,
    stagger_s: float = 0.0,
    ramp: Ramp[T] | None = None,
) -> None:
    """Keep `concurrency` requests in flight until all are sent; each is scheduled the moment its slot falls free.

    Slot `k` of `n` starts `k / n` of the stagger after the first, and its first request is scheduled then. With a ramp
    the ramp's duration is the stagger, and a slot takes the ramp's requests until it ends; one that falls free at its end
    or later takes the others, so that the two follow without a gap.

    Args:
        requests: What is measured.
        concurrency: Slots.
        send: Sends one request at an instant.
        clock: Of the run.
        stagger_s: Seconds over which the slots' starts are spread; 0 starts them together.
        ramp: Requests that come before those measured.
    """
    waiting = iter(requests)
    start_s = clock.now()
    spread_s = ramp.duration_s if ramp else stagger_s
    ramp_end_s, ramping = (start_s + ramp.duration_s, ramp.requests) if ramp else (start_s, iter(()))

    async def slot(number: int) -> None:
        free_s = start_s + spread_s * number / concurrency
        await clock.sleep_until(free_s)
        while free_s < ramp_end_s and (early := next(ramping, None)) is not None:
            free_s = await send(early, free_s)
        for request in waiting:
            free_s = await send(request, free_s)

    async with asyncio.TaskGroup() as slots:
        for number in range(concurrency):
            slots.create_task(slot(number))


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


def arrivals_s(load: Load, number: int, *, seed: str) -> tuple[float, ...]:
    """Return the first arrivals of an open loop at its full rate, in seconds; the same seed gives the same arrivals.

    The first request arrives after the first gap. Gaps have the mean `1 / rate_per_s`.
    """
    return tuple(islice(full_rate_arrivals_s(load, seed), number))


def ramped_arrivals_s(load: Load, number: int, *, seed: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the arrivals during a load's ramp, and the `number` that follow, in seconds from the ramp's start.

    Under a rate that grows evenly, `rate * t^2 / (2 * ramp)` requests are expected by the instant `t`. So an arrival
    that would come at `u` under the full rate comes at `sqrt(2 * ramp * u)` up to the ramp's end, and half a ramp
    later than `u` from there on.
    """
    ramp_s = float(load.ramp_s or 0)
    drawn = full_rate_arrivals_s(load, seed)
    during = []
    while (at_s := next(drawn)) < ramp_s / 2:
        during.append(sqrt(2 * ramp_s * at_s))
    return tuple(during), tuple(later_s + ramp_s / 2 for later_s in islice(chain((at_s,), drawn), number))


def full_rate_arrivals_s(load: Load, seed: str) -> Iterator[float]:
    """Yield the arrivals of an open loop at its full rate, without end."""
    if load.rate_per_s is None:
        raise ValueError(f"load {load.id}: got no rate_per_s, expected one for an open loop")
    mean_s = 1 / float(load.rate_per_s)
    draw = random.Random(seed)
    match load.arrivals:
        case "constant":
            return (mean_s * number for number in count(1))
        case "gamma":
            gaps = (draw.gammavariate(GAMMA_SHAPE, mean_s / GAMMA_SHAPE) for _ in count())
        case _:
            gaps = (draw.expovariate(1 / mean_s) for _ in count())
    return accumulate(gaps)
