"""The history guard: what landed keeps its meaning and never vanishes (DESIGN 2.2).

Lists of captures, rollout stages and evidence may grow; drafts are outside the guard.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ledger.errors import Problem
from ledger.model.record import Record

GROWING = ("captures", "stages", "evidence")
UNGUARDED = ("article",)


@dataclass(frozen=True, slots=True)
class Version:
    """A record as it stood from one commit up to another, exclusive."""

    record: Record
    meaning: str
    path: str
    since: int
    """Place of the commit in the main branch's sequence."""
    until: int | None


def check_history(versions: Iterable[Version], names: Sequence[str]) -> Iterator[Problem]:
    """Yield a finding for every landed record that changed its meaning, lost an element, or vanished.

    `names[sequence]` says which commit a sequence number is, in words.
    """
    by_id: dict[str, list[Version]] = defaultdict(list)
    for version in versions:
        if version.record.KIND not in UNGUARDED:
            by_id[version.record.id].append(version)
    for versions_of_one in by_id.values():
        ordered = sorted(versions_of_one, key=lambda version: (version.since, version.path))
        for index, version in enumerate(ordered):
            yield from _compare_with_later(version, ordered[index + 1 :], names)


def _compare_with_later(version: Version, later: list[Version], names: Sequence[str]) -> Iterator[Problem]:
    """Compare a version with what followed it, or stood beside it under the same id."""
    for other in later:
        if other.meaning != version.meaning and other.since <= (version.until if version.until is not None else other.since):
            yield _problem("LEDG090", other.path, f"{other.record.id}: its meaning changed in {names[other.since]}.", remedy=_SUPERSEDE)
        elif other.since == version.until and (lost := shortened_list(version.record, other.record)):
            yield _problem("LEDG091", other.path, f"{other.record.id}: {lost} lost an element in {names[other.since]}.", remedy=_RESTORE)
    if version.until is not None and not any(_is_there_at(other, version.until) for other in later):
        yield _problem("LEDG092", version.path, f"{version.record.id}: vanished in {names[version.until]}.", remedy=_RESTORE)


_SUPERSEDE = "Restore it, and add a record that supersedes it."
_RESTORE = "Restore it; what landed stays, a retraction takes it back."


def _is_there_at(version: Version, sequence: int) -> bool:
    return version.since <= sequence and (version.until is None or version.until > sequence)


def _problem(code: str, path: str, message: str, *, remedy: str) -> Problem:
    return Problem(code, message, remedy, path)


def shortened_list(before: Record, after: Record) -> str | None:
    """Return the name of the first list that may only grow and has lost an element; None where none has."""
    for name in GROWING:
        old, new = getattr(before, name, ()), getattr(after, name, ())
        if any(element not in new for element in old):
            return name
    return None
