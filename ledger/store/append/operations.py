"""What may be appended to a ledger: a new record, a successor, a retraction, reviews. The record spoken of is never touched."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from ledger.errors import DataRefusedError, EnvironmentFaultError, FieldPath, Problem, UsageError
from ledger.model.catalogue import Entry
from ledger.model.kinds import KINDS
from ledger.model.values.meaning import meaning_hash
from ledger.store.append.toml_text import plain_fields
from ledger.store.append.write_records import Draft, Written, write_all
from ledger.store.files.record_files import RecordFiles
from ledger.store.git.identity import NO_IDENTITY, author_of_file, git_user

WRITTEN_BY_COMMAND = {"article": "ledger article new", "edition": "ledger article publish", "run": "ledger bench run or ledger attach"}
"""Kinds that are not written by hand, and what writes them."""
AUTHORED = tuple(kind for kind in KINDS if kind not in WRITTEN_BY_COMMAND)
WRITERS = ("author", "by", "reviewer")
"""Fields that name who writes; git's user.name where none is given."""


@dataclass(frozen=True)
class RecordWriter:
    """Adds records to a ledger, dated `today`."""

    files: RecordFiles
    today: date

    @property
    def writer(self) -> str | None:
        """The name that git knows; None where it knows none."""
        return git_user(self.files.root)

    def add(self, kind: str, fields: Mapping[str, Any]) -> Written:
        """Write a new record; without an id it gets one made from its text.

        Raises:
            DataRefusedError: a rule finds an error in it, or its id is taken; nothing was written.
        """
        refuse_machine_written(kind)
        return self._write([(kind, self._sign(kind, fields))])

    def supersede(
        self, old: Entry, *, new_id: str, because: Literal["correction", "change"], reason: str, changes: Mapping[FieldPath, Any]
    ) -> Written:
        """Write a copy of a record with changes, as its successor; a change that is None removes the field.

        Raises:
            UsageError: nothing changes, or a change names a place that the record does not have.
            DataRefusedError: as for `add`.
        """
        refuse_machine_written(old.record.KIND)
        before = _content(plain_fields(old.record))
        fields: Any = before
        for path, value in changes.items():
            fields = with_change(fields, path, value)
        if _content(fields) == before:
            raise UsageError(f"nothing differs from {old.record.id}. Say what does with --set FIELD=VALUE.")
        fields |= {"id": new_id, "supersedes": {"id": old.record.id, "because": because, "reason": reason}}
        return self._write([(old.record.KIND, self._sign(old.record.KIND, fields))])

    def retract(self, old: Entry, *, reason: str, new_id: str | None = None) -> Written:
        """Write a retraction of a record; raises as `add` does."""
        fields = {"target": old.record.id, "reason": reason, "retracted_on": self.today}
        return self._write([("retraction", fields | ({"id": new_id} if new_id else {}))])

    def review(
        self, targets: Sequence[Entry], *, verdict: str, aspects: Sequence[str], reviewer: str | None = None, note: str | None = None
    ) -> Written:
        """Write a review of each record as it stands; several at once are marked as done in bulk.

        Raises:
            EnvironmentFaultError: no reviewer is given and git knows none.
            DataRefusedError: the reviewer wrote one of the records; nothing was written.
        """
        name = reviewer or self.writer
        if not name:
            raise EnvironmentFaultError(NO_IDENTITY)
        if own := [_own_work(entry, name) for entry in targets if _same_person(self._author_of(entry), name)]:
            raise DataRefusedError("nothing was written", own)
        common = {"reviewer": name, "reviewed_on": self.today, "aspects": list(aspects), "verdict": verdict}
        common |= ({"bulk": len(targets)} if len(targets) > 1 else {}) | ({"note": note} if note else {})
        drafts = [{"target": e.record.id, "target_meaning": meaning_hash(e.record), **common} for e in targets]
        return self._write([("review", draft) for draft in drafts])

    def _author_of(self, entry: Entry) -> str | None:
        return getattr(entry.record, "author", None) or author_of_file(self.files.root, entry.path)

    def _sign(self, kind: str, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        unsigned = [name for name in WRITERS if name in KINDS[kind].model_fields and fields.get(name) is None]
        return {**fields, **dict.fromkeys(unsigned, self.writer)} if unsigned and self.writer else fields

    def _write(self, drafts: Sequence[Draft]) -> Written:
        return write_all(self.files.root, self.files.settings, drafts, today=self.today)


def refuse_machine_written(kind: str) -> None:
    """Refuse a kind that is not written by hand.

    Raises:
        UsageError: the message names the command that writes it.
    """
    if kind in WRITTEN_BY_COMMAND:
        raise UsageError(f"{kind}: not written by hand. Use {WRITTEN_BY_COMMAND[kind]}.")


def with_change(value: Any, path: FieldPath, new: Any) -> Any:
    """Return a copy of plain fields in which the place at `path` holds `new`, or nothing where `new` is None.

    A part of the path that stands for a list's element is its index, its name or its id.

    Raises:
        UsageError: there is no such place.
    """
    if not path:
        return new
    first, rest = path[0], path[1:]
    if isinstance(value, dict):
        inner = with_change(value.get(first, {} if rest else None), rest, new)
        return {key: item for key, item in {**value, first: inner}.items() if key != first or inner is not None}
    if isinstance(value, list):
        index = _element(value, first)
        items = [with_change(item, rest, new) if number == index else item for number, item in enumerate(value)]
        return [item for item in items if item is not None]
    raise UsageError(f'there is nothing below "{value}", so {".".join(map(str, path))} names no place.')


def _element(items: list[Any], part: str | int) -> int:
    for number, item in enumerate(items):
        if str(number) == str(part) or (isinstance(item, dict) and part in (item.get("name"), item.get("id"))):
            return number
    names = [
        str(item.get("name") or item.get("id") or number) if isinstance(item, dict) else str(number) for number, item in enumerate(items)
    ]
    raise UsageError(f'"{part}" is no element; there is {", ".join(names) or "none"}.')


def _content(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a successor takes over: everything but the id, what was superseded before, and who wrote it."""
    return {name: value for name, value in fields.items() if name not in ("id", "supersedes", *WRITERS)}


def _same_person(author: str | None, reviewer: str) -> bool:
    return author is not None and " ".join(author.split()).casefold() == " ".join(reviewer.split()).casefold()


def _own_work(entry: Entry, name: str) -> Problem:
    return Problem("LEDG070", f"{entry.record.id}: {name} wrote it.", "Let somebody else review it.", record=entry.record.id)
