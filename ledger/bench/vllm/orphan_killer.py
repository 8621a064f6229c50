"""Ends the engine's processes when this process is killed.

vLLM's engine and workers outlive a killed parent and keep their memory, so that a resumed run would meet them. A small
process holds the reading end of a pipe: when the pipe closes without a farewell it kills the processes it was told of.

Only what was started while it looked is the engine's. Children that were there before, such as the `git cat-file` that
a library keeps for reading a repository, are nobody's to wait for or to kill.
"""

import subprocess
import sys
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import psutil

LOOK_EVERY_S = 0.25
FAREWELL = "done\n"
PROGRAM = """
import sys, psutil
known = {}
for line in sys.stdin:
    if line == "done\\n":
        sys.exit()
    pid, created = line.split()
    known[int(pid)] = float(created)
for pid, created in known.items():
    try:
        process = psutil.Process(pid)
        if abs(process.create_time() - created) < 1:
            process.kill()
    except psutil.Error:
        pass
"""
"""Matches the time of creation, since the system gives a process id to another process once it is free."""


class OrphanKiller:
    """Notes the child processes that start while it is entered, and kills them if this process dies before `dismiss`."""

    def __init__(self) -> None:
        """Start the small process, and note which children are there already."""
        self._known: dict[int, psutil.Process] = {}
        self._is_left = threading.Event()
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
            start_new_session=True,  # a terminal's Ctrl-C goes to all of its session, and this process has to outlive it
        )
        self._others = frozenset(child_processes())

    def __enter__(self) -> Self:
        """Begin to look for new children."""
        self._thread = threading.Thread(target=self._look_until_left, name="orphan-killer", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        """Look a last time."""
        self._is_left.set()
        self._thread.join()
        self._look()

    @property
    def processes(self) -> "tuple[psutil.Process, ...]":
        """The engine's processes so far, dead ones included; psutil tells them from later owners of their ids."""
        return tuple(self._known.values())

    def dismiss(self) -> None:
        """End the small process without touching anything; does nothing the second time."""
        if self._process.stdin is None or self._process.stdin.closed:
            return
        try:
            self._process.stdin.write(FAREWELL)
            self._process.stdin.close()
        except BrokenPipeError:
            pass  # it was killed from outside; there is nothing left to dismiss
        self._process.wait()

    def _look_until_left(self) -> None:
        while not self._is_left.wait(LOOK_EVERY_S):
            self._look()

    def _look(self) -> None:
        import psutil

        for child in child_processes():
            if child in self._others or child.pid in self._known or self._process.stdin is None:
                continue
            try:
                self._process.stdin.write(f"{child.pid} {child.create_time()}\n")
                self._known[child.pid] = child
            except (psutil.Error, BrokenPipeError):
                continue  # the child has ended meanwhile, or the small process was killed from outside


def child_processes() -> "list[psutil.Process]":
    """Return this process's children and theirs."""
    import psutil

    return psutil.Process().children(recursive=True)
