"""Stopping from outside: an interrupt gets through, even where something on the way drops it."""

import signal
import threading
import time
from contextlib import suppress

import pytest

from ledger.bench import stopping
from ledger.bench.stopping import stopping_as_ctrl_c, stopping_at_once


def test_an_interrupt_that_was_dropped_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, "REMIND_EVERY_S", 0.05)
    before = signal.getsignal(signal.SIGINT)
    dropped = []

    def deaf() -> None:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        dropped.append(True)
        time.sleep(60)

    with pytest.raises(KeyboardInterrupt), stopping_at_once():
        deaf()
    assert dropped
    assert signal.getsignal(signal.SIGINT) == before
    assert "signal-reminder" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_what_ends_a_program_is_taken_as_an_interrupt(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt), stopping_as_ctrl_c(), stopping_at_once():
        signal.raise_signal(number)
    assert signal.getsignal(number) is before
