"""All records of a ledger, with the place each was read from: what queries, rules and renderers work on."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from ledger.errors import FieldPath, Problem, Severity
from ledger.model.record import Record
from ledger.model.records.retraction import Retraction
from ledger.model.records.review import Review

AnyRecord = TypeVar("AnyRecord", bound=Record)


@dataclass(frozen=True, slots=True)
class Entry:
    """A record and its place: the file, and the keys that lead to it from the file's top."""

    record: Record
    path: str
    field: FieldPath = ()

    def problem(self, code: str, field: FieldPath, message: str, *, remedy: str, severity: Severity = "error") -> Problem:
        """Return a finding about one field of this record."""
        name = ".".join(str(part) for part in field)
        text = f"{self.record.id}: {name}: {message}" if name else f"{self.record.id}: {message}"
        return Problem(code, text, remedy, path=self.path, field=self.field + field, severity=severity, record=self.record.id)


class Catalogue:
    """An immutable set of entries; records are found by id, by kind and by what replaced them."""

    def __init__(self, entries: Iterable[Entry], unread: Iterable[tuple[str, str]] = ()) -> None:
        self.entries = tuple(entries)
        self.unread = dict(unread)
        """Id to file, of records whose file is there but could not be read; no query answers with one."""

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @cached_property
    def by_id(self) -> dict[str, Entry]:
        """Entries by id; ids used more than once, or by a record that could not be read, are left out."""
        uses = Counter(entry.record.id for entry in self.entries)
        return {entry.record.id: entry for entry in self.entries if uses[entry.record.id] == 1 and entry.record.id not in self.unread}

    @cached_property
    def successors(self) -> dict[str, Entry]:
        """The entry that supersedes each id; an entry that was itself retracted supersedes nothing."""
        kept = (entry for entry in self.by_id.values() if entry.record.id not in self.retractions)
        return {entry.record.supersedes.id: entry for entry in kept if entry.record.supersedes}

    @cached_property
    def retractions(self) -> dict[str, Entry]:
        """The entry of the retraction of each id that was taken back; a retraction that was taken back itself counts no longer."""
        standing = [entry for entry in self._retraction_entries if self.is_standing(entry.record.id)]
        return {entry.record.target: entry for entry in reversed(standing) if isinstance(entry.record, Retraction)}

    @cached_property
    def _retraction_entries(self) -> list[Entry]:
        return [entry for _, entry in sorted(self.by_id.items()) if isinstance(entry.record, Retraction)]

    @cached_property
    def _retracted_by(self) -> dict[str, list[str]]:
        """The ids of all retractions of each id, whether they count or not."""
        ids: dict[str, list[str]] = {}
        for entry in self._retraction_entries:
            if isinstance(entry.record, Retraction):
                ids.setdefault(entry.record.target, []).append(entry.record.id)
        return ids

    @cached_property
    def circular_retractions(self) -> frozenset[str]:
        """The ids of retractions that take themselves back, directly or through others; none of them counts."""
        return frozenset(entry.record.id for entry in self._retraction_entries if self._comes_back(entry.record.id))

    def _comes_back(self, start: str) -> bool:
        reached: set[str] = set()
        waiting = list(self._retracted_by.get(start, ()))
        while waiting:
            reached.add(record_id := waiting.pop())
            waiting += [other for other in self._retracted_by.get(record_id, ()) if other not in reached]
        return start in reached

    def is_standing(self, record_id: str) -> bool:
        """Whether a record was not taken back, by a retraction that stands itself."""
        if record_id in self.circular_retractions:
            return False
        return not any(self.is_standing(retraction) for retraction in self._retracted_by.get(record_id, ()))

    @cached_property
    def reviews(self) -> dict[str, tuple[Review, ...]]:
        """The reviews of each id, in order of their own ids; reviews that were retracted are left out."""
        reviews: dict[str, list[Review]] = {}
        for record_id, entry in sorted(self.by_id.items()):
            if isinstance(entry.record, Review) and record_id not in self.retractions:
                reviews.setdefault(entry.record.target, []).append(entry.record)
        return {target: tuple(records) for target, records in reviews.items()}

    def get(self, record_id: str, kind: type[AnyRecord]) -> AnyRecord | None:
        """Return the record of that id; None where there is none of this kind."""
        entry = self.by_id.get(record_id)
        return entry.record if entry and isinstance(entry.record, kind) else None

    def of(self, kind: type[AnyRecord]) -> list[AnyRecord]:
        """Return the records of one kind, in order of id."""
        records = [entry.record for entry in self.by_id.values() if isinstance(entry.record, kind)]
        return sorted(records, key=lambda record: record.id)
