"""The append-only journal of a run: one JSON object a line, each with a `kind` and a link to the line before it.

A line is in the kernel's hands before `append` returns, so that a killed process loses nothing; a thread flushes it to
the disk within `FLUSH_EVERY_S`, so that a power cut loses little and the event loop never waits for a disk.
"""

import fcntl
import json
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ledger.bench.journal.chain import START, add_link, link, split_link
from ledger.errors import DataRefusedError, EnvironmentFaultError

NAME = "journal.jsonl"
FORMAT = 2
"""Of the journals written: their lines are chained. Those of format 1, by earlier releases, are not."""
FORMATS = (1, FORMAT)
FLUSH_EVERY_S = 0.25
Line = dict[str, Any]


class Journal:
    """An open journal; only one process may append."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._last_link: str | None = START
        self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        if not take_lock(self._descriptor):
            os.close(self._descriptor)
            raise DataRefusedError(f"{path}: another process is writing it, so the run is at work. Wait for it, or stop it first.")
        self._unflushed = threading.Event()
        self._closing = threading.Event()
        self._flusher = threading.Thread(target=self._flush_while_open, name="journal-flush", daemon=True)
        self._flusher.start()

    @classmethod
    def create(cls, path: Path) -> "Journal":
        """Open a new journal.

        Raises:
            DataRefusedError: there is a journal already.
        """
        if path.exists():
            raise DataRefusedError(f"{path}: a run has been started here. Continue it with `ledger bench resume`, or name another folder.")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return cls(path)
        except OSError as error:
            raise EnvironmentFaultError(f"{path}: cannot be written: {error.strerror}. Name a folder that can.") from error

    @classmethod
    def reopen(cls, path: Path) -> "Journal":
        """Open a journal to continue it; a torn last line is cut off.

        Raises:
            DataRefusedError: another process is writing it.
        """
        journal = cls(path)
        cut_torn_line(path)
        journal._last_link = last_link(path.read_bytes())
        return journal

    def append(self, kind: str, /, **fields: Any) -> None:
        """Write one line; it survives the death of this process from the moment this returns.

        Raises:
            EnvironmentFaultError: the disk is full, or gone.
        """
        line, self._last_link = encode_line({"kind": kind, **fields}, self._last_link)
        try:
            while line:
                line = line[os.write(self._descriptor, line) :]
        except OSError as error:
            remedy = "What finished is kept: make room, then go on with `ledger bench resume`."
            raise EnvironmentFaultError(f"{self.path}: cannot be written: {error.strerror}. {remedy}") from error
        self._unflushed.set()

    def close(self) -> None:
        """Flush to the disk and close; does nothing the second time."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._unflushed.set()
        self._flusher.join()
        os.fsync(self._descriptor)
        os.close(self._descriptor)

    def _flush_while_open(self) -> None:
        while not self._closing.is_set():  # asked first: `close` may have set both events before the next lines clear one
            self._unflushed.wait()
            self._unflushed.clear()
            os.fsync(self._descriptor)
            self._closing.wait(FLUSH_EVERY_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()


def encode_line(line: Line, previous: str | None) -> tuple[bytes, str | None]:
    """Return a line of a journal as bytes, its end included, and its link.

    Args:
        line: What it holds, `kind` first.
        previous: The link of the line before; None where lines are not chained.
    """
    body = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    if previous is None:
        return body + b"\n", None
    chained, own = add_link(body, previous)
    return chained + b"\n", own


def last_link(content: bytes) -> str | None:
    """Return the link that the next line of a journal follows from; None where its lines are not chained."""
    whole = content.rstrip(b"\n")
    return split_link(whole[whole.rfind(b"\n") + 1 :])[1] if whole else START


def extend(content: bytes, line: Line) -> bytes:
    """Return a journal's whole lines with one more behind them."""
    whole = content[: content.rfind(b"\n") + 1]
    return whole + encode_line(line, last_link(whole))[0]


def take_lock(descriptor: int) -> bool:
    """Take the lock of an open journal and return whether it was free; the lock ends with the process, however that ends."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_at_work(path: Path) -> bool:
    """Whether a process is writing the journal."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return not take_lock(descriptor)
    finally:
        os.close(descriptor)


def read_journal(path: Path) -> list[Line]:
    """Return the lines of a journal without their links; a torn last line is left out.

    Raises:
        DataRefusedError: there is no journal, it has no header or two, a line before the last is broken, or a line does not
            follow from the one before it.
    """
    numbered = list(parse_lines(path))
    header = numbered[0][1] if numbered else {}
    if header.get("kind") != "header":
        raise DataRefusedError(f"{path}: the journal has no header, so nothing in it can be placed. Start the run again in another folder.")
    if header.get("format") not in FORMATS:
        raise DataRefusedError(f"{path}: got format {header.get('format')!r}, expected {FORMAT}. Read it with the release that wrote it.")
    if any(line["kind"] == "header" for _, line in numbered[1:]):
        raise DataRefusedError(f"{path}: holds more than one run. Take the folders as they were written, one by one.")
    if header["format"] != 1:
        refuse_broken_chain(path, [body for body, _ in numbered])
    return [line for _, line in numbered]


def refuse_broken_chain(path: Path, lines: Sequence[bytes]) -> None:
    """Compare each line with its link.

    Raises:
        DataRefusedError: one does not follow from the line before it.
    """
    previous = START
    for number, line in enumerate(lines, 1):
        body, own = split_link(line)
        previous = link(body, previous)
        if own != previous:
            raise DataRefusedError(
                f"{path}:{number}: does not follow from the line before it: it was changed or moved, or one before it is missing. "
                "Take the file as it was written."
            )


def is_chained(header: Line) -> bool:
    """Whether a journal's lines are chained, so that an edit of one would show; journals of earlier releases are not."""
    return bool(header["format"] != 1)


def parse_lines(path: Path) -> Iterator[tuple[bytes, Line]]:
    """Yield each whole line of a journal, as its bytes and as what it holds without its link."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataRefusedError(f"{path}: cannot be read: {error.strerror}. Name the folder of a run.") from error
    whole = content.split(b"\n")[:-1]  # what follows the last newline was torn
    for number, line in enumerate(whole, 1):
        try:
            value = json.loads(line.decode("utf-8", "surrogatepass"))
        except ValueError as error:
            if number == len(whole):
                return
            raise DataRefusedError(
                f"{path}:{number}: a line in the middle is broken ({error}). The file was changed after it was written."
            ) from error
        if not isinstance(value, dict) or "kind" not in value:
            raise DataRefusedError(f"{path}:{number}: got {str(value)[:40]!r}, expected an object with a kind.")
        value.pop("chain", None)
        yield line, value


def cut_torn_line(path: Path) -> None:
    """Cut a journal after its last whole line."""
    content = path.read_bytes()
    kept = content.rfind(b"\n") + 1
    last_start = content.rfind(b"\n", 0, max(kept - 1, 0)) + 1
    try:
        json.loads(content[last_start:kept].decode("utf-8", "surrogatepass") or "{}")
    except ValueError:
        kept = last_start
    if kept < len(content):
        os.truncate(path, kept)
