"""How a run is stopped from outside: Ctrl-C, and the signals by which a system or a closed terminal ends a program.

A signal that was ignored before, as `nohup` and a shell's background jobs have it, stays ignored.
"""

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from ledger.bench.engine.interface import Engine

ENDING = (signal.SIGTERM, signal.SIGHUP)
REMIND_EVERY_S = 2.0
NOTHING = b"\0"
"""No signal has this number."""


@contextmanager
def end_signals_as_ctrl_c() -> Iterator[None]:
    """Take the signals that end a program as Ctrl-C while entered, so that the engine is stopped before anything else."""
    heard = [number for number in ENDING if is_main_thread() and signal.getsignal(number) == signal.SIG_DFL]
    for number in heard:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, signal.SIG_DFL)


async def started(engine: Engine) -> None:
    """Start an engine; Ctrl-C raises at once, while the start blocks the loop, as well as when it came just before."""
    with ctrl_c_at_once():
        await asyncio.sleep(0)  # a cancellation that is due comes here, not after the start
        await engine.start()


@contextmanager
def ctrl_c_at_once() -> Iterator[None]:
    """Let Ctrl-C raise at once while entered: an engine's start blocks the loop, which would cancel only after it."""
    before = signal.getsignal(signal.SIGINT)
    if not is_main_thread():
        yield
        return
    if before != signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with repeat_missed_signals():
            yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def repeat_missed_signals() -> Iterator[None]:
    """Repeat a signal to the main thread until left.

    A library that waits outside Python misses one that comes just before it begins to wait, and may swallow what it raises.
    """
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    left = threading.Event()
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    thread = threading.Thread(target=remind, args=(reader, left), name="signal-reminder", daemon=True)
    thread.start()
    try:
        yield
    finally:
        left.set()
        signal.set_wakeup_fd(before)
        os.write(writer, NOTHING)
        thread.join()
        for descriptor in (reader, writer):
            os.close(descriptor)


def remind(reader: int, left: threading.Event) -> None:
    """Wait for the number of a signal, then send that signal to the main thread every `REMIND_EVERY_S` until it has left."""
    number = os.read(reader, 1)
    main = threading.main_thread().ident
    while number != NOTHING and main is not None and not left.wait(REMIND_EVERY_S):
        signal.pthread_kill(main, number[0])


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
