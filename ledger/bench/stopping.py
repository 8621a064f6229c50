"""How a run is stopped from outside: Ctrl-C, and the signals by which a system or a closed terminal ends a program.

A signal that was ignored before, as `nohup` and a shell's background jobs have it, stays ignored.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = (signal.SIGTERM, signal.SIGHUP)
AGAIN_AFTER_S = 5.0
"""Longer than an interrupted start needs to clean up. Seen: an interrupt lost, and a wait of minutes for an engine that was gone."""


@contextmanager
def stopping_as_ctrl_c() -> Iterator[None]:
    """Take the signals that end a program as Ctrl-C while entered, so that the engine is stopped before anything else."""
    heard = [number for number in ENDING if is_main_thread() and signal.getsignal(number) == signal.SIG_DFL]
    for number in heard:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def stopping_at_once() -> Iterator[None]:
    """Let Ctrl-C raise at once while entered: an engine's start blocks the loop, which would cancel only after it.

    It raises again until it gets through: where it falls into a callback or a destructor Python drops it, while the
    engine's processes, which a terminal interrupts too, are gone and would be waited for.
    """
    before = signal.getsignal(signal.SIGINT)
    if not is_main_thread() or before == signal.SIG_IGN:
        yield
        return
    alarm_before = signal.signal(signal.SIGALRM, insist)
    signal.signal(signal.SIGINT, insist)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGINT, before)
        signal.signal(signal.SIGALRM, alarm_before)


def insist(_number: int, _frame: FrameType | None) -> None:
    """Raise, and see to it that this is called again.

    Raises:
        KeyboardInterrupt: always.
    """
    signal.setitimer(signal.ITIMER_REAL, AGAIN_AFTER_S)
    raise KeyboardInterrupt


def interrupt(_number: int, _frame: FrameType | None) -> None:
    """Do what Ctrl-C does, also where Ctrl-C itself is ignored.

    Raises:
        KeyboardInterrupt: where nobody has a way of their own.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)


def is_main_thread() -> bool:
    """Whether this is the thread that gets signals."""
    return threading.current_thread() is threading.main_thread()
