"""Stopping from outside: an interrupt gets through, even where something on the way drops it."""

import asyncio
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from ledger.bench.run import signals as stopping
from ledger.bench.run.signals import ctrl_c_at_once, end_signals_as_ctrl_c, started
from ledger.model.records.protocol import Arm
from tests.bench.fake_engine import FakeEngine, Script


@pytest.fixture(autouse=True)
def heard() -> Iterator[None]:
    """Signals do what they do in a terminal, whatever the tests were started under: `nohup` and background jobs ignore some."""
    usual: dict[signal.Signals, Any] = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGTERM: signal.SIG_DFL,
        signal.SIGHUP: signal.SIG_DFL,
    }
    before = {number: signal.signal(number, action) for number, action in usual.items()}
    yield
    for number, action in before.items():
        signal.signal(number, action)


def test_an_interrupt_that_was_dropped_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, "REMIND_EVERY_S", 0.05)
    before = signal.getsignal(signal.SIGINT)
    dropped = []

    def deaf() -> None:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        dropped.append(True)
        time.sleep(60)

    with pytest.raises(KeyboardInterrupt), ctrl_c_at_once():
        deaf()
    assert dropped
    assert signal.getsignal(signal.SIGINT) == before
    assert "signal-reminder" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_what_ends_a_program_is_taken_as_an_interrupt(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt), end_signals_as_ctrl_c(), ctrl_c_at_once():
        signal.raise_signal(number)
    assert signal.getsignal(number) is before


def test_an_interrupt_that_came_just_before_a_start_is_not_kept_waiting_by_it() -> None:
    """The runner takes Ctrl-C as a cancellation, which a start that blocks the loop would hold back."""
    begun = []

    class Blocking(FakeEngine):
        async def start(self) -> None:
            begun.append(True)

    async def run() -> None:
        signal.raise_signal(signal.SIGINT)
        await started(Blocking(Arm(id="base"), lambda _: Script()))

    with pytest.raises(KeyboardInterrupt), asyncio.Runner() as loop:
        loop.run(run())
    assert begun == []
