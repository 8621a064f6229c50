"""Ends the engine's processes when this process is killed.

vLLM's engine and workers outlive a killed parent and keep their memory, so that a resumed run would meet them. A small
process holds the reading end of a pipe: when the pipe closes without a farewell it kills the processes it was told of.
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
    """Watches for new child processes while entered, and takes them along if this process dies before `dismiss`."""

    def __init__(self) -> None:
        self._told: dict[int, psutil.Process] = {}
        self._watching = threading.Event()
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
            start_new_session=True,  # a terminal's Ctrl-C goes to all of its session, and the guard has to outlive it
        )

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._watch, name="orphan_killer", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self._watching.set()
        self._thread.join()
        self._tell()

    @property
    def processes(self) -> "tuple[psutil.Process, ...]":
        """The processes guarded so far, dead ones included; psutil tells them from later owners of their ids."""
        return tuple(self._told.values())

    def dismiss(self) -> None:
        """End the guard without touching anything; does nothing the second time."""
        if self._process.stdin is None or self._process.stdin.closed:
            return
        try:
            self._process.stdin.write(FAREWELL)
            self._process.stdin.close()
        except BrokenPipeError:
            pass  # the guard was killed from outside; there is nothing left to dismiss
        self._process.wait()

    def _watch(self) -> None:
        while not self._watching.wait(LOOK_EVERY_S):
            self._tell()

    def _tell(self) -> None:
        import psutil

        for child in psutil.Process().children(recursive=True):
            if child.pid in self._told or child.pid == self._process.pid or self._process.stdin is None:
                continue
            try:
                self._process.stdin.write(f"{child.pid} {child.create_time()}\n")
                self._told[child.pid] = child
            except (psutil.Error, BrokenPipeError):
                continue  # the child has ended meanwhile, or the guard was killed from outside
