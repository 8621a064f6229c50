"""Files written whole or not at all, and the lock that one writer of records holds at a time."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

from ledger.errors import DataRefusedError, EnvironmentFaultError

LOCK_WAIT_S = 60
"""How long a writer waits for the others before it gives up."""
_LOCK_STEP_S = 0.02


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file beside its place, flush it to disk and move it there; a crash leaves the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as stream:
        try:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
            Path(stream.name).chmod(0o644)
            Path(stream.name).replace(path)
        except BaseException:
            Path(stream.name).unlink(missing_ok=True)
            raise


def create_exclusively(path: Path, content: bytes) -> None:
    """Write a new file whole and flushed to disk; a crash leaves it complete or absent.

    Raises:
        DataRefusedError: the file exists already; it is left as it is.
        EnvironmentFaultError: the disk is full, or the folder cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
            Path(stream.name).chmod(0o644)
            _link(Path(stream.name), path)
        _flush_folder(path.parent)
    except OSError as error:
        raise EnvironmentFaultError(f"{path} cannot be written: {error.strerror}. Nothing was written.") from error


def _link(source: Path, path: Path) -> None:
    try:
        os.link(source, path)
    except FileExistsError:
        raise DataRefusedError(f"{path} exists already, and a record is never overwritten. Take another id.") from None


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def writing_lock(folder: Path, *, wait_s: float = LOCK_WAIT_S) -> Iterator[None]:
    """Hold the lock that one writer of a folder has at a time; it is released with the process, however that ends.

    Raises:
        EnvironmentFaultError: others held it for all of `wait_s`.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise EnvironmentFaultError(f"{folder} cannot be opened: {error.strerror}. Nothing was written.") from error
    try:
        for _ in range(max(1, int(wait_s / _LOCK_STEP_S))):
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(_LOCK_STEP_S)
        else:
            raise EnvironmentFaultError(f"busy: others have been writing to {folder} for {wait_s:g} s. Nothing was written; try again.")
        yield
    finally:
        os.close(descriptor)
