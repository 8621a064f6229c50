"""A record's whole line, for `ledger log`."""

import textwrap
from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

from ledger.analysis.validity.validity import validity
from ledger.cli.text.output import Row
from ledger.model.catalogue import Catalogue
from ledger.model.record import Record
from ledger.model.records.retraction import Retraction
from ledger.model.records.review import Review
from ledger.model.records.waiver import Waiver
from ledger.model.values.text import one_line

if TYPE_CHECKING:
    from ledger.api.results import Log, LogEntry

_WIDTH = 80


def log_fields(catalogue: Catalogue, logged: "LogEntry", as_of: date) -> Row:
    """Return one record of a line and the records about it, as plain values."""
    record, landed = logged.entry.record, logged.landed
    return {
        "id": record.id,
        "kind": record.KIND,
        "path": logged.entry.path,
        "state": validity(catalogue, record).status(as_of),
        "supersedes": record.supersedes.model_dump() if record.supersedes else None,
        "says": _says(record),
        "author": writer_of(record),
        "recorded_on": landed.on.isoformat() if landed else None,
        "commit": landed.commit if landed else None,
        "commit_author": landed.author if landed else None,
        "about": [log_fields(catalogue, other, as_of) for other in logged.about],
    }


def log_lines(catalogue: Catalogue, log: "Log", asked: str, *, as_of: date) -> Iterator[str]:
    """Yield a line of records in at most 80 columns, the record that was asked for marked with a star."""
    for logged in log.records:
        yield from _record_lines(catalogue, logged, asked, as_of=as_of, is_known=log.gap is None)


def _record_lines(catalogue: Catalogue, logged: "LogEntry", asked: str, *, as_of: date, is_known: bool) -> Iterator[str]:
    record = logged.entry.record
    status = validity(catalogue, record).status(as_of)
    yield f"{'*' if record.id == asked else ' '} {record.id}"
    yield from _wrapped(f"{record.KIND}, {status}, {logged.entry.path}")
    yield from _wrapped(_recorded(logged, is_known=is_known))
    if link := record.supersedes:
        yield from _wrapped(f"supersedes {link.id} ({link.because}): {link.reason}")
    for other in logged.about:
        yield from _wrapped(f"- {other.entry.record.id}: {_says(other.entry.record)}")
        yield from _wrapped(_recorded(other, is_known=is_known), indent="      ")


def _recorded(logged: "LogEntry", *, is_known: bool) -> str:
    """When, in which commit and by whom a record was recorded, and who wrote it where that is somebody else."""
    writer, landed = writer_of(logged.entry.record), logged.landed
    if landed is None:
        return ("unrecorded" if is_known else "no history here") + (f", written by {writer}" if writer else "")
    text = f"recorded {landed.on} in {landed.commit[:12]} by {landed.author}"
    return text if writer in (None, landed.author) else f"{text}, written by {writer}"


def writer_of(record: Record) -> str | None:
    """Return who wrote a record, as it says itself."""
    return next((value for name in ("author", "reviewer", "by") if isinstance(value := getattr(record, name, None), str)), None)


def _says(record: Record) -> str | None:
    """A record about another one, in words."""
    match record:
        case Review():
            how = f", one of {record.bulk} in bulk" if record.bulk else ""
            return f"{record.verdict} on {record.reviewed_on} ({', '.join(record.aspects)}{how})"
        case Retraction():
            return f"retracted on {record.retracted_on}: {record.reason}"
        case Waiver():
            return f"{record.rule} waived until {record.until}: {record.reason}"
    return None


def _wrapped(text: str, indent: str = "    ") -> Iterator[str]:
    yield from textwrap.wrap(one_line(text), _WIDTH, initial_indent=indent, subsequent_indent=indent + "  ", break_on_hyphens=False)
