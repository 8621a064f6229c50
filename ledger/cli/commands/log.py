"""`ledger log ID`: a record's whole line, with when, by whom and in which commit each was recorded."""

import textwrap
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import typer

from ledger.analysis.validity.validity import validity
from ledger.api import Ledger
from ledger.cli.commands.changes import IdArgument
from ledger.cli.input.options import open_ledger, today
from ledger.cli.text.output import json_text, note
from ledger.model.record import Record
from ledger.model.records.retraction import Retraction
from ledger.model.records.review import Review
from ledger.model.records.waiver import Waiver
from ledger.model.values.text import one_line
from ledger.store.index.record_log import Logged

_WIDTH = 80


def log(
    record_id: IdArgument,
    *,
    form: Annotated[Literal["text", "json"], typer.Option("--format", help="How to print.")] = "text",
) -> None:
    """Show every record that ID supersedes or is superseded by, oldest first, with its dates, authors and commits."""
    ledger = open_ledger()
    found = ledger.log(record_id)
    if found.gap:
        note(f"unrecorded: {found.gap}")
    if form == "json":
        print(json_text([_fields(ledger, logged) for logged in found.records]))
        return
    for logged in found.records:
        print("\n".join(_lines(ledger, logged, record_id, known=found.gap is None)))


def _fields(ledger: Ledger, logged: Logged) -> dict[str, Any]:
    record, landed = logged.entry.record, logged.landed
    return {
        "id": record.id,
        "kind": record.KIND,
        "path": logged.entry.path,
        "state": validity(ledger.catalogue, record).status(today()),
        "supersedes": record.supersedes.model_dump() if record.supersedes else None,
        "says": _says(record),
        "author": writer_of(record),
        "recorded_on": landed.on.isoformat() if landed else None,
        "commit": landed.commit if landed else None,
        "commit_author": landed.author if landed else None,
        "about": [_fields(ledger, other) for other in logged.about],
    }


def _lines(ledger: Ledger, logged: Logged, asked: str, *, known: bool) -> Iterator[str]:
    record = logged.entry.record
    status = validity(ledger.catalogue, record).status(today())
    yield f"{'*' if record.id == asked else ' '} {record.id}"
    yield from _wrapped(f"{record.KIND}, {status}, {logged.entry.path}")
    yield from _wrapped(_recorded(logged, known=known))
    if link := record.supersedes:
        yield from _wrapped(f"supersedes {link.id} ({link.because}): {link.reason}")
    for other in logged.about:
        yield from _wrapped(f"- {other.entry.record.id}: {_says(other.entry.record)}")
        yield from _wrapped(_recorded(other, known=known), indent="      ")


def _recorded(logged: Logged, *, known: bool) -> str:
    """When, in which commit and by whom a record was recorded, and who wrote it where that is somebody else."""
    writer, landed = writer_of(logged.entry.record), logged.landed
    if landed is None:
        return ("unrecorded" if known else "no history here") + (f", written by {writer}" if writer else "")
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
