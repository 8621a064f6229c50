"""How a run is stopped from outside: Ctrl-C, and the signals by which a system or a closed terminal ends a program."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def stopping_as_ctrl_c() -> Iterator[None]:
    """Take the signals that end a program as Ctrl-C while entered, so that the engine is stopped before anything else."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread gets signals
        return

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        signal.raise_signal(signal.SIGINT)

    before = {number: signal.signal(number, interrupt) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def stopping_at_once() -> Iterator[None]:
    """Let Ctrl-C raise at once while entered: an engine's start blocks the loop, which would cancel only after it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
