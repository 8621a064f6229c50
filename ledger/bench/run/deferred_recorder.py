"""Records finished requests a little later, so that recording does not delay the next ones."""

import asyncio
from collections.abc import Callable

from ledger.model.trace import RequestTrace


class DeferredRecorder:
    """Delays recording of finished requests until their slots have sent the next ones, so that recording does not stagger the batch.

    Requests of one batch end together. Were each written down before its slot sends again, the next batch would reach
    the engine one by one instead of at once, and what is measured would depend on who measures.
    """

    def __init__(self, record: Callable[[RequestTrace], None]) -> None:
        self._record = record
        self._waiting: list[Callable[[], RequestTrace]] = []
        self._fault: Exception | None = None

    def defer(self, trace: Callable[[], RequestTrace]) -> None:
        """Record a finished request when the event loop next comes round; its trace is made then too."""
        self.raise_fault()
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._record_waiting)
        self._waiting.append(trace)

    async def drain(self) -> None:
        """Return when everything deferred has been recorded."""
        while self._waiting:
            await asyncio.sleep(0)
        self.raise_fault()

    def raise_fault(self) -> None:
        """Raise what kept a request from being recorded, such as a full disk, where somebody awaits it."""
        if self._fault is not None:
            raise self._fault

    def _record_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        try:
            for trace in waiting:
                self._record(trace())
        except Exception as fault:  # noqa: BLE001 - nobody awaits a callback; `raise_fault` raises it in the cell's own task
            self._fault = fault
