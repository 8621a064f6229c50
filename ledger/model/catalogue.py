"""All records of a ledger, with where each was read: what queries, rules and renderers work on."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from ledger.errors import FieldPath, Problem, Severity
from ledger.model.record import Record

AnyRecord = TypeVar("AnyRecord", bound=Record)


@dataclass(frozen=True, slots=True)
class Entry:
    """A record and its place: the file, and the keys that lead to it from the file's top."""

    record: Record
    path: str
    field: FieldPath = ()

    def problem(self, code: str, field: FieldPath, message: str, remedy: str, severity: Severity = "error") -> Problem:
        """Return a finding about one field of this record."""
        name = ".".join(str(part) for part in field)
        text = f"{self.record.id}: {name}: {message}" if name else f"{self.record.id}: {message}"
        return Problem(code, text, remedy, path=self.path, field=self.field + field, severity=severity, record=self.record.id)


class Catalogue:
    """An immutable set of entries; records are found by id, by kind and by what replaced them."""

    def __init__(self, entries: Iterable[Entry], unread: Iterable[tuple[str, str]] = ()) -> None:
        self.entries = tuple(entries)
        self.unread = dict(unread)
        """Id and file of records that are there but could not be read: named without a finding, never an answer."""

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @cached_property
    def by_id(self) -> dict[str, Entry]:
        """Entries by id; an id used twice answers nothing."""
        found: dict[str, Entry] = {}
        twice = set(self.unread)
        for entry in self.entries:
            if entry.record.id in found:
                twice.add(entry.record.id)
            found[entry.record.id] = entry
        return {key: entry for key, entry in found.items() if key not in twice}

    @cached_property
    def successors(self) -> dict[str, Entry]:
        """The entry that supersedes each id; one that was itself retracted closes nothing."""
        standing = (e for e in self.by_id.values() if e.record.id not in self.retractions)
        return {e.record.supersedes.id: e for e in standing if e.record.supersedes}

    @cached_property
    def retractions(self) -> dict[str, Entry]:
        """The retraction entry of each id taken back."""
        return {getattr(e.record, "target"): e for e in self.by_id.values() if e.record.KIND == "retraction"}  # noqa: B009  # only Retraction has it

    @cached_property
    def reviews(self) -> dict[str, tuple[Record, ...]]:
        """The reviews of each id, in order of id; one taken back does not count."""
        found: dict[str, list[Record]] = {}
        for record_id, entry in sorted(self.by_id.items()):
            if entry.record.KIND == "review" and record_id not in self.retractions:
                found.setdefault(getattr(entry.record, "target"), []).append(entry.record)  # noqa: B009  # as above
        return {target: tuple(records) for target, records in found.items()}

    def get(self, record_id: str, kind: type[AnyRecord]) -> AnyRecord | None:
        """Return the record of that id and kind, if there is one."""
        entry = self.by_id.get(record_id)
        return entry.record if entry and isinstance(entry.record, kind) else None

    def of(self, kind: type[AnyRecord]) -> list[AnyRecord]:
        """Return the records of one kind, in order of id."""
        records = [e.record for e in self.by_id.values() if isinstance(e.record, kind)]
        return sorted(records, key=lambda record: record.id)
