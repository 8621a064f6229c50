"""Captures of sources: taken from a file or an address, added to the source's own file, never changed or removed.

An archived capture lies under the evidence folder by its hash, its text beside it.
"""

import mimetypes
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

import tomlkit
from tomlkit.items import AoT, Array

from ledger.analysis.claims.quotes import QuoteCheck, quote_checks, text_hash
from ledger.analysis.validity.drift import has_changed
from ledger.analysis.validity.links import resting_on
from ledger.errors import DataRefusedError, Problem
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.record import Record
from ledger.model.records.claim import Claim
from ledger.model.records.source import Capture, Source
from ledger.store.files.atomic_write import write_atomically, writing_lock
from ledger.store.files.attached_files import file_sha256
from ledger.store.files.reading import read_file
from ledger.store.files.record_files import RecordFiles
from ledger.store.sources.fetch import Content, read_content
from ledger.store.sources.page_text import compared_text_of, text_of

FOLDER = "captures"
_INDENT = "  "


@dataclass(frozen=True, slots=True)
class CaptureResult:
    """A capture that was taken, the one before it, and what rests on the source."""

    source: str
    path: str
    capture: Capture
    before: Capture | None
    """The latest capture before it whose hash is known."""
    resting: tuple[str, ...]
    """Ids of the claims and costs that rest on the source."""
    quotes: tuple[QuoteCheck, ...]

    @property
    def has_drifted(self) -> bool:
        """Whether the content differs from the capture before."""
        return self.before is not None and has_changed(self.before, self.capture)


def capture_source(files: RecordFiles, entry: Entry, where: str, *, now: datetime, taken_on: date | None, archive: bool) -> CaptureResult:
    """Take a capture of a source and add it to the source's file.

    Args:
        files: The ledger's record files.
        entry: The source.
        where: A file or an address.
        now: The present instant.
        taken_on: The day on which a saved file was taken; the instant is then not known.
        archive: Whether to keep the bytes in the evidence folder.

    Raises:
        UsageError, EnvironmentFaultError, DataRefusedError: it cannot be read, or the source's file cannot take it.
    """
    source = entry.record
    if not isinstance(source, Source):
        raise DataRefusedError(f"{source.id} is a {source.KIND}, expected a source. Name a source.")
    content = read_content(where)
    text = text_of(content.data, content.media_type, content.charset)
    taken = _capture_of(content, text, now, taken_on=taken_on, archive=archive)
    before = max((c for c in source.captures if c.sha256), key=lambda c: c.retrieved_at, default=None)
    if archive:
        _archive(files, taken, content, text=text)
    add_capture(files, entry, taken)
    resting: tuple[Record, ...] = tuple(resting_on(files.catalogue, source.id))
    quotes = tuple(check for record in resting if isinstance(record, Claim) for check in quote_checks(record, text))
    return CaptureResult(source.id, entry.path, taken, before, tuple(record.id for record in resting), quotes)


def _capture_of(content: Content, text: str | None, now: datetime, *, taken_on: date | None, archive: bool) -> Capture:
    digest = sha256(content.data).hexdigest()
    compared = compared_text_of(content.data, content.media_type, content.charset) if text is not None else None
    return Capture(
        retrieved_at=taken_on or now.astimezone(UTC).date(),
        sha256=digest,
        archived=blob_name(digest, content.media_type) if archive else None,
        fetched_at=None if taken_on else now.astimezone(UTC).replace(microsecond=0),
        media_type=content.media_type,
        text_sha256=text_hash(compared) if compared is not None else None,
        charset=content.charset,
        final_url=content.final_url,
        status=content.status,
    )


def blob_name(digest: str, media_type: str) -> str:
    """Return where an archived capture lies, relative to the evidence folder."""
    return f"{FOLDER}/{digest}{mimetypes.guess_extension(media_type) or '.bin'}"


def _archive(files: RecordFiles, taken: Capture, content: Content, *, text: str | None) -> None:
    path = files.root / files.settings.paths.evidence / str(taken.archived)
    if not path.exists():
        write_atomically(path, content.data)
    if text is not None and path.suffix != ".txt":
        write_atomically(path.with_suffix(".txt"), text.encode())


def add_capture(files: RecordFiles, entry: Entry, taken: Capture) -> None:
    """Add a capture to the source's TOML file; everything else in it stays as written.

    Raises:
        DataRefusedError: the source lies in a file of another format, or the file cannot take it.
    """
    path = files.root / entry.path
    if path.suffix != ".toml":
        raise DataRefusedError(f"{entry.path}: a capture can only be added to TOML. Move {entry.record.id} to a file of its own.")
    with writing_lock(files.root / files.settings.paths.records):
        old = path.read_text("utf-8")
        document = tomlkit.parse(old)
        record: Any = document
        for part in entry.field:
            record = record[part]
        _append(record, taken.model_dump(exclude_none=True))
        new = _keep_lines(old, tomlkit.dumps(document)).encode()
        _check_grown(entry, read_file(entry.path, new).entries, taken)
        write_atomically(path, new)


def _keep_lines(old: str, new: str) -> str:
    """Return new text in which lines that differ from old ones by spaces alone are the old ones: tomlkit drops one after a date."""
    lines = {re.sub(r"\s", "", line): line for line in old.split("\n") if line.strip()}
    return "\n".join(lines.get(re.sub(r"\s", "", line), line) for line in new.split("\n"))


def _append(record: Any, fields: dict[str, object]) -> None:
    pairs = ", ".join(f"{name} = {tomlkit.item(value).as_string()}" for name, value in fields.items())
    row = tomlkit.value(f"{{ {pairs} }}")
    match record.get("captures"):
        case None:
            rows = tomlkit.array()
            rows.append(row)
            record.add("captures", rows.multiline(True))
        case AoT() as tables:
            table = tomlkit.table()
            table.update(fields)
            tables.append(table)
        case Array() as rows:
            if "\n" in rows.as_string():
                rows.add_line(row, indent=_INDENT)
            else:
                rows.append(row)
                rows.multiline(True)


def _check_grown(entry: Entry, after: tuple[Entry, ...], taken: Capture) -> None:
    """Refuse a file unless it holds the same source with one capture more.

    Raises:
        DataRefusedError: something else in the source would change.
    """
    assert isinstance(entry.record, Source)  # asked before
    expected = entry.record.model_copy(update={"captures": (*entry.record.captures, taken)})
    if [other.record for other in after if other.record.id == entry.record.id] != [expected]:
        raise DataRefusedError(f"{entry.path}: the capture cannot be added without changing {entry.record.id}. Run `ledger check`.")


def archived_text(files: RecordFiles, source: Source) -> str | None:
    """Return the text of a source's archived captures, latest first; None where none has any."""
    texts = []
    for capture in sorted(source.captures, key=lambda capture: capture.retrieved_at, reverse=True):
        path = blob_path(files, capture)
        if path and path.is_file():
            media_type = capture.media_type or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            text = text_of(path.read_bytes(), media_type, capture.charset)
            texts += [text] if text is not None else []
    return "\n".join(texts) if texts else None


def blob_path(files: RecordFiles, capture: Capture) -> Path | None:
    """Return the path of an archived capture; None where none was kept, or its name leads out of the evidence folder."""
    if capture.archived is None or ".." in PurePosixPath(capture.archived).parts or PurePosixPath(capture.archived).is_absolute():
        return None
    return files.root / files.settings.paths.evidence / capture.archived


def quotes_in(files: RecordFiles, catalogue: Catalogue, claim: Claim) -> list[QuoteCheck]:
    """Return whether a claim's quotation and numbers stand in the archived text of its source."""
    source = catalogue.get(claim.source or "", Source)
    return list(quote_checks(claim, archived_text(files, source) if source else None))


def check_captures(files: RecordFiles, catalogue: Catalogue) -> Iterator[Problem]:
    """Yield a finding for every archived capture that is missing or changed, and every quotation that it does not hold."""
    for entry in catalogue:
        if isinstance(entry.record, Source):
            yield from _blob_faults(files, entry, entry.record)
        elif isinstance(entry.record, Claim) and entry.record.quote:
            for check in quotes_in(files, catalogue, entry.record):
                if check.name == "quote" and check.outcome == "not found":
                    message = f"the quotation does not stand in the archived text of {entry.record.source}."
                    remedy = "Quote what stands there, or archive the page it stands on."
                    yield entry.problem("LEDG083", ("quote",), message, remedy=remedy, severity="warning")


def _blob_faults(files: RecordFiles, entry: Entry, source: Source) -> Iterator[Problem]:
    for index, capture in enumerate(source.captures):
        if capture.archived is None:
            continue
        path, field = blob_path(files, capture), ("captures", index, "archived")
        if path is None:
            yield entry.problem("LEDG009", field, f"{capture.archived} leads out of the evidence folder.", remedy="Name a file below it.")
        elif not path.is_file():
            yield entry.problem("LEDG009", field, f"{capture.archived} is not in the evidence folder.", remedy="Restore it.")
        elif capture.sha256 and file_sha256(path) != capture.sha256:
            message = f"{capture.archived} differs from its hash."
            yield entry.problem("LEDG009", field, message, remedy="Restore it; a changed one is a new capture.")
