"""The clock of a run: one monotonic source for every duration, wall-clock readings only to date it."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from ledger.errors import DataRefusedError

RESOLUTION_S = 1e-9
"""A wait shorter than this is over; a float of many seconds cannot tell less."""
LoopFactory = Callable[[], asyncio.AbstractEventLoop]


class Clock(Protocol):
    """Where instants come from; tests pass one whose time they set."""

    @property
    def source(self) -> str:
        """The name of the monotonic source, for the record."""

    @property
    def loop_factory(self) -> LoopFactory | None:
        """Makes the event loop whose timers follow this clock; None takes asyncio's own."""

    def now(self) -> float:
        """Seconds on a clock that never goes back."""

    def wall(self) -> datetime:
        """The date and time in UTC; may jump."""


class SystemClock:
    """The machine's clocks."""

    loop_factory: LoopFactory | None = None

    @property
    def source(self) -> str:
        """The name of the monotonic source, such as `clock_gettime(CLOCK_MONOTONIC)`."""
        return time.get_clock_info("monotonic").implementation

    now = staticmethod(time.monotonic)

    def wall(self) -> datetime:
        """The date and time in UTC."""
        return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class RunClock:
    """A clock whose zero is the start of the run, or continues where an interrupted run stopped."""

    clock: Clock
    zero: float

    @classmethod
    def starting_at(cls, clock: Clock, elapsed_s: float = 0.0) -> "RunClock":
        """Return a run clock that reads `elapsed_s` now."""
        return cls(clock, clock.now() - elapsed_s)

    def now(self) -> float:
        """Seconds since the start of the run."""
        return self.clock.now() - self.zero

    async def sleep_until(self, instant_s: float) -> None:
        """Return at an instant of the run or right after it; at once when it has passed."""
        while (left := instant_s - self.now()) > RESOLUTION_S:
            await asyncio.sleep(left)


@dataclass(frozen=True, slots=True)
class ClockReading:
    """Both clocks, read together; `mono_s` is None where only the wall clock was kept."""

    wall: datetime
    mono_s: float | None


@dataclass(frozen=True, slots=True)
class Timing:
    """When a run was and how long it took."""

    started_at: datetime
    finished_at: datetime
    duration_s: float
    """By the monotonic clock wherever there is one."""
    note: str | None = None
    """Said when the two clocks disagree."""


def timing(start: ClockReading, end: ClockReading) -> Timing:
    """Return the duration between two readings, by the monotonic clock where both have it.

    Raises:
        DataRefusedError: there are only wall-clock readings and they end before they start, or the monotonic clock went back.
    """
    by_wall_s = (end.wall - start.wall).total_seconds()
    if start.mono_s is None or end.mono_s is None:
        if by_wall_s < 0:
            raise DataRefusedError(
                f"the run ended {-by_wall_s:g} s before it started ({start.wall.isoformat()} to {end.wall.isoformat()}) "
                "and has no monotonic clock. Nothing can be computed from it; record it again."
            )
        return Timing(start.wall, end.wall, by_wall_s, "durations come from the wall clock alone")
    duration_s = end.mono_s - start.mono_s
    if duration_s < 0:
        raise DataRefusedError(f"the monotonic clock went back by {-duration_s:g} s. The readings come from two starts of the machine.")
    note = f"the wall clock went back: its end lies {-by_wall_s:g} s before its start; durations are monotonic" if by_wall_s < 0 else None
    return Timing(start.wall, end.wall, duration_s, note)
