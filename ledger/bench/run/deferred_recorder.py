"""Records finished requests a little later, one at a time, so that recording delays neither the next sends nor a chunk's stamp."""

import asyncio
from collections import deque
from collections.abc import Callable

from ledger.model.trace import RequestTrace


class DeferredRecorder:
    """Delays recording of finished requests until their slots have sent the next ones, so that who measures changes no arrival.

    One request is recorded each time the event loop comes round: between two of them chunks are stamped and requests are
    sent, however many ended together. Requests that end apart are sent after apart; nothing here brings them together.
    """

    def __init__(self, record: Callable[[RequestTrace], None], now: Callable[[], float]) -> None:
        """Take what records a trace, and the clock by which its time is counted."""
        self._record, self._now = record, now
        self._waiting: deque[Callable[[], RequestTrace]] = deque()
        self._fault: Exception | None = None
        self.spent_s = 0.0
        """Seconds that recording has taken."""

    def defer(self, trace: Callable[[], RequestTrace]) -> None:
        """Record a finished request when the event loop comes round to it; its trace is made then too."""
        self.raise_fault()
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._record_next)
        self._waiting.append(trace)

    async def drain(self) -> None:
        """Return when everything deferred has been recorded."""
        while self._waiting and self._fault is None:
            await asyncio.sleep(0)
        self.raise_fault()

    def raise_fault(self) -> None:
        """Raise what kept a request from being recorded, such as a full disk, where somebody awaits it."""
        if self._fault is not None:
            raise self._fault

    def _record_next(self) -> None:
        begun_s = self._now()
        try:
            self._record(self._waiting[0]())
        except Exception as fault:  # noqa: BLE001 - nobody awaits a callback; `raise_fault` raises it in the cell's own task
            self._fault = fault
            return
        self._waiting.popleft()
        self.spent_s += self._now() - begun_s
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._record_next)
