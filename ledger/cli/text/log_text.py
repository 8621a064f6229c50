"""A record's whole line, for `ledger log`."""

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

from ledger.analysis.validity.validity import validity
from ledger.cli.text.layout import hanging
from ledger.cli.text.output import Row
from ledger.model.catalogue import Catalogue
from ledger.model.record import Record
from ledger.model.records.retraction import Retraction
from ledger.model.records.review import Review
from ledger.model.records.waiver import Waiver

if TYPE_CHECKING:
    from ledger.api.results import Log, LogEntry


def log_fields(catalogue: Catalogue, item: "LogEntry", as_of: date) -> Row:
    """Return one record of a line and the records about it, as plain values."""
    record, landed = item.entry.record, item.landed
    return {
        "id": record.id,
        "kind": record.KIND,
        "path": item.entry.path,
        "state": validity(catalogue, record).status(as_of),
        "supersedes": record.supersedes.model_dump() if record.supersedes else None,
        "says": _says(record),
        "author": writer_of(record),
        "recorded_on": landed.on.isoformat() if landed else None,
        "commit": landed.commit if landed else None,
        "commit_author": landed.author if landed else None,
        "about": [log_fields(catalogue, other, as_of) for other in item.about],
    }


def log_lines(catalogue: Catalogue, log: "Log", asked: str, *, as_of: date) -> Iterator[str]:
    """Yield a line of records in at most 80 columns, the record that was asked for marked with a star."""
    for item in log.records:
        yield from _record_lines(catalogue, item, asked, as_of=as_of, is_known=log.gap is None)


def _record_lines(catalogue: Catalogue, item: "LogEntry", asked: str, *, as_of: date, is_known: bool) -> Iterator[str]:
    record = item.entry.record
    status = validity(catalogue, record).status(as_of)
    yield f"{'*' if record.id == asked else ' '} {record.id}"
    yield from hanging(f"{record.KIND}, {status}, {item.entry.path}", indent=4)
    yield from hanging(_landing_text(item, is_known=is_known), indent=4)
    if link := record.supersedes:
        yield from hanging(f"supersedes {link.id} ({link.because}): {link.reason}", indent=4)
    for other in item.about:
        yield from hanging(f"- {other.entry.record.id}: {_says(other.entry.record)}", indent=4)
        yield from hanging(_landing_text(other, is_known=is_known), indent=6)


def _landing_text(item: "LogEntry", *, is_known: bool) -> str:
    """When, in which commit and by whom a record was recorded, and who wrote it where that is somebody else."""
    writer, landed = writer_of(item.entry.record), item.landed
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
