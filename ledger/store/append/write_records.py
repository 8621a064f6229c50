"""New records: checked against every rule together with all that is there, then written one a file.

Nothing is ever overwritten. Many writers at once are put in order by a lock; a record that arrived since the check is
taken into it before the file is made.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ledger.analysis.rules import check_rules
from ledger.analysis.upkeep.waivers import apply_waivers
from ledger.errors import DataRefusedError, Problem, has_errors, ordered
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.kinds import KINDS
from ledger.model.record import Record
from ledger.store.append.ids import first_free_id, propose_id
from ledger.store.append.toml_text import compose, record_path
from ledger.store.files.atomic_write import create_exclusively, writing_lock
from ledger.store.files.attached_files import check_attached
from ledger.store.files.reading import FileRead, read_file
from ledger.store.files.record_files import RecordFiles
from ledger.store.files.schema_errors import problems_of
from ledger.store.files.settings import Settings

Draft = tuple[str, Mapping[str, Any]]
"""A kind and the fields of a record as a file would hold them; an `id` that is missing is made from its text."""


@dataclass(frozen=True, slots=True)
class Written:
    """The files of new records, in the order of the drafts, and the warnings about them."""

    paths: tuple[Path, ...]
    ids: tuple[str, ...]
    warnings: tuple[Problem, ...] = ()
    unread: tuple[str, ...] = ()
    """Files with faults, whose records no rule has compared the new ones with."""


@dataclass(frozen=True)
class Snapshot:
    """What the record files held when they were last read, by path."""

    files: RecordFiles
    stamps: Mapping[str, str] = field(default_factory=dict)
    reads: Mapping[str, FileRead] = field(default_factory=dict)

    def refresh(self) -> "Snapshot":
        """Return the state now, reading only files that changed; the same object where none did."""
        stamps = self.files.stamps()
        if stamps == self.stamps:
            return self
        reads = {path: self.reads[path] if self.stamps.get(path) == stamp else self.files.read(path) for path, stamp in stamps.items()}
        return Snapshot(self.files, stamps, reads)

    def catalogue(self, new: Iterable[Entry] = ()) -> Catalogue:
        """Return all readable records, new ones last."""
        reads = self.reads.values()
        return Catalogue([*(entry for read in reads for entry in read.entries), *new], (pair for read in reads for pair in read.unread))


def write_new(root: Path, settings: Settings, kind: str, *, record: Record | Mapping[str, Any], today: date) -> Path:
    """Write one new record and return its file.

    Raises:
        DataRefusedError: the record has an error, or its id or file is taken; nothing was written.
        EnvironmentFaultError: others kept the ledger busy.
    """
    fields = record.model_dump(by_alias=True, exclude_defaults=True) if isinstance(record, Record) else record
    return write_all(root, settings, [(kind, fields)], today=today).paths[0]


def write_all(root: Path, settings: Settings, drafts: Sequence[Draft], *, today: date) -> Written:
    """Write new records, all of them or, where any has an error, none; raises as `write_new` does.

    A crash between two files leaves the first one complete and the next one absent.
    """
    snapshot = Snapshot(RecordFiles(root, settings)).refresh()
    entries = _entries(settings, drafts, snapshot)
    warnings = _check(snapshot, entries, today)
    with writing_lock(root / settings.paths.records):
        now = snapshot.refresh()
        if now is not snapshot:
            entries = _entries(settings, drafts, now)
            warnings = _check(now, entries, today)
        for entry in entries:
            create_exclusively(root / entry.path, compose(entry.record).encode())
    unread = tuple(path for path, read in now.reads.items() if has_errors(read.problems))
    return Written(tuple(root / entry.path for entry in entries), tuple(entry.record.id for entry in entries), warnings, unread)


def _entries(settings: Settings, drafts: Sequence[Draft], snapshot: Snapshot) -> list[Entry]:
    """Return the drafts as records at the places they will have.

    Raises:
        DataRefusedError: one of them is no valid record; every fault of each is named.
    """
    taken = _used_ids(snapshot)
    entries: list[Entry] = []
    problems: list[Problem] = []
    for kind, fields in drafts:
        fields = {"id": first_free_id(propose_id(kind, fields), taken), **fields}
        problems += _form_faults(kind, fields, taken)
        if not problems:
            record = KINDS[kind].model_validate(fields)
            taken[record.id] = record_path(settings, kind, record.id)
            entries += read_file(taken[record.id], compose(record).encode()).entries
    if problems:
        raise DataRefusedError("nothing was written", problems)
    return entries


def _used_ids(snapshot: Snapshot) -> dict[str, str]:
    """Return every id in use, with its file; a file's own name counts as one, whatever can be read in it."""
    taken = {Path(path).stem: path for path in snapshot.reads}
    for path, read in snapshot.reads.items():
        taken |= dict(read.unread) | {entry.record.id: path for entry in read.entries}
    return taken


def _form_faults(kind: str, fields: Mapping[str, Any], taken: Mapping[str, str]) -> Iterator[Problem]:
    record_id = str(fields["id"])
    if record_id in taken:
        message = f"{record_id}: id: is taken by {taken[record_id]}, and a record is never overwritten."
        yield Problem("LEDG010", message, "Take another id.", record=record_id)
    try:
        KINDS[kind].model_validate(dict(fields))
    except ValidationError as error:
        for inner, message, remedy in problems_of(error, fields, KINDS[kind]):
            code = "LEDG004" if message.endswith(": unknown key") else "LEDG003"
            yield Problem(code, f"{record_id}: {message}.", remedy, field=inner, record=record_id)


def _check(snapshot: Snapshot, entries: Sequence[Entry], today: date) -> tuple[Problem, ...]:
    """Return the warnings about the new records.

    Raises:
        DataRefusedError: one of them has an error.
    """
    files, ids = snapshot.files, {entry.record.id for entry in entries}
    catalogue = snapshot.catalogue(entries)
    problems = [*check_rules(catalogue, today), *check_attached(files.root, files.settings, Catalogue(entries))]
    about = [replace(problem, path="", field=()) for problem in apply_waivers(problems, catalogue, today) if problem.record in ids]
    if has_errors(about):
        raise DataRefusedError("nothing was written", ordered(about))
    return tuple(ordered(about))
