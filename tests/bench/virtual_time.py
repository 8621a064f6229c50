"""A clock whose time is what the tests say: waiting costs nothing and ends exactly when it should."""

import asyncio
import selectors
from datetime import UTC, datetime, timedelta
from typing import Any

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


class JumpingSelector(selectors.SelectSelector):
    """Instead of waiting for a time to come, goes there."""

    def __init__(self, clock: "VirtualClock") -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> list[Any]:
        """Return what is ready now, and move the time on when nothing is."""
        ready = super().select(0)
        if not ready and timeout:
            self._clock.seconds += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose timers follow a virtual clock."""

    def __init__(self, clock: "VirtualClock") -> None:
        super().__init__(JumpingSelector(clock))
        self._clock = clock
        self._clock_resolution = 1e-12  # a timer is due when its time has come, not a little earlier

    def time(self) -> float:
        """The virtual time."""
        return self._clock.seconds


class VirtualClock:
    """Implements `ledger.bench.engine.clock.Clock`."""

    source = "virtual"

    def __init__(self, seconds: float = 1000.0) -> None:
        self.seconds = seconds

    @property
    def loop_factory(self) -> Any:
        """Makes a loop on this clock."""
        return lambda: VirtualLoop(self)

    def now(self) -> float:
        """The virtual time."""
        return self.seconds

    def wall(self) -> datetime:
        """The date that many seconds after the epoch of the tests."""
        return EPOCH + timedelta(seconds=self.seconds)
