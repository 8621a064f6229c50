"""What the runner itself costs while a cell is measured: how late its event loop runs, and the time that its own work takes.

A chunk is stamped when the loop comes to it. So the loop's lag is in every stamp, and time in which the runner records a
request or takes a chunk apart is time in which no other stream is served.
"""

import asyncio
import threading
import time
from collections.abc import Callable

import numpy as np

from ledger.bench.engine.clock import RunClock
from ledger.model.records.run import Measure

EVERY_S = 0.02
"""Between two looks at the loop: fifty a second, each a few microseconds."""


class LoopLag:
    """A thread that asks the loop for a sign of life again and again, and how long each took to come."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Take the loop that is watched."""
        self._loop = loop
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._ask, name="loop-lag", daemon=True)
        self.lags_s: list[float] = []

    def start(self) -> None:
        """Begin to ask."""
        self._thread.start()

    def stop(self) -> None:
        """Ask no more; returns when the thread has ended."""
        self._done.set()
        self._thread.join()

    def _ask(self) -> None:
        while not self._done.wait(EVERY_S):
            self._loop.call_soon_threadsafe(self._answer, time.monotonic())

    def _answer(self, asked_s: float) -> None:
        self.lags_s.append(time.monotonic() - asked_s)


class Overhead:
    """Counts from the first measured request to the end of a cell."""

    def __init__(self, clock: RunClock, own_s: Callable[[], float]) -> None:
        """Take the run's clock, and what returns the seconds of the runner's own work so far."""
        self._clock, self._own_s = clock, own_s
        self._begun: tuple[float, float] | None = None
        self._lag: LoopLag | None = None

    def begin(self) -> None:
        """Begin to count; does nothing the second time."""
        if self._begun is None:
            self._begun = self._clock.now(), self._own_s()
            if self._clock.clock.loop_factory is None:  # under a clock that is set by hand nothing is late
                self._lag = LoopLag(asyncio.get_running_loop())
                self._lag.start()

    def stop(self) -> None:
        """End the watch; does nothing where there is none."""
        if self._lag is not None:
            self._lag.stop()

    def measures(self, requests: int) -> dict[str, Measure]:
        """Return the figures of the cell under `runner`; nothing where it never began.

        Args:
            requests: How many were measured.
        """
        if self._begun is None:
            return {}
        begun_s, own_before_s = self._begun
        own_s, took_s = self._own_s() - own_before_s, self._clock.now() - begun_s
        found = {"runner.own-work.total": Measure(value=own_s, unit="s", n=requests)}
        if took_s > 0:
            found["runner.own-work.share"] = Measure(value=own_s / took_s, unit="share", n=requests)
        return found | lag_measures(self._lag.lags_s if self._lag else [])


def lag_measures(lags_s: list[float]) -> dict[str, Measure]:
    """Return the 95 % quantile (type 7) and the largest of the loop's lags, in seconds; nothing of none."""
    if not lags_s:
        return {}
    return {
        "runner.loop-lag.p95": Measure(value=float(np.quantile(lags_s, 0.95)), unit="s", n=len(lags_s)),
        "runner.loop-lag.max": Measure(value=max(lags_s), unit="s", n=len(lags_s)),
    }
