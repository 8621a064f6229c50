"""One run a machine at a time: two that measure at once measure each other.

The lock belongs to the process and ends with it, however that ends: a file that was left behind locks nothing.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ledger.errors import EnvironmentFaultError

MACHINE_LOCK = Path(tempfile.gettempdir()) / "evidence-ledger-run.lock"
"""The same for every ledger and user of the machine."""


@contextmanager
def machine_lock(path: Path, what: str) -> Iterator[None]:
    """Hold the machine's lock while entered.

    Args:
        path: The lock's file; it stays when the lock ends.
        what: What is at work, for the message that somebody else gets, such as the run's folder.

    Raises:
        EnvironmentFaultError: another process holds it, or the file cannot be opened.
    """
    descriptor = open_lock(path)
    try:
        if not is_taken_here(descriptor):
            raise EnvironmentFaultError(
                f"another run is at work on this machine{holder_words(path)}: two at once would measure each other. "
                "Wait for it, or stop it first."
            )
        with suppress(OSError):  # somebody else's file: the lock holds all the same, without a word on who has it
            path.write_text(f"process {os.getpid()}, {what}", "utf-8")
        yield
    finally:
        os.close(descriptor)


def open_lock(path: Path) -> int:
    """Return a descriptor of a lock's file, which is made where it is not there.

    Raises:
        EnvironmentFaultError: it cannot be opened.
    """
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        try:
            return os.open(path, flags)  # first without O_CREAT, which a shared folder refuses for another user's file
        except FileNotFoundError:
            return os.open(path, flags | os.O_CREAT, 0o644)
    except OSError as error:
        raise EnvironmentFaultError(
            f"{path}: cannot be opened: {error.strerror}. It keeps two runs apart; remove it, or free the place."
        ) from error


def is_taken_here(descriptor: int) -> bool:
    """Take the lock of an open file and return whether it was free."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def holder_words(path: Path) -> str:
    """Return who holds a lock, in brackets; nothing where its file does not say."""
    try:
        words = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return f" ({words})" if words else ""
