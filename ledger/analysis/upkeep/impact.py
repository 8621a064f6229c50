"""What rests on a record, directly or through others: what would go stale if it changed."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from ledger.analysis.upkeep.staleness import Citation
from ledger.analysis.validity.links import Link, links_of
from ledger.model.catalogue import Catalogue, Entry


@dataclass(frozen=True, slots=True)
class Dependent:
    """A record that names another, where and which, and how many steps away it is."""

    entry: Entry
    link: Link
    steps: int


@dataclass(frozen=True, slots=True)
class Impact:
    """What would go stale if a record changed: other records, and sentences of drafts."""

    dependents: tuple[Dependent, ...]
    citations: tuple[Citation, ...]


def impact(catalogue: Catalogue, record_id: str, citations: Iterable[Citation]) -> Impact:
    """Return what rests on a record, out of all records and of these citations."""
    reached = dependents(catalogue, record_id)
    resting = {record_id, *(dependent.entry.record.id for dependent in reached if not dependent.link.is_beside)}
    return Impact(tuple(reached), tuple(citation for citation in citations if citation.record in resting))


def dependents(catalogue: Catalogue, record_id: str) -> list[Dependent]:
    """Return every record that names this one, or names one that rests on it, nearest first; each once.

    A record that only speaks of another (a successor, a review) is a dependent, and what names it is not.
    """
    naming: dict[str, list[tuple[Entry, Link]]] = defaultdict(list)
    for entry in sorted(catalogue.by_id.values(), key=lambda entry: entry.record.id):
        for link in links_of(entry.record):
            naming[link.target].append((entry, link))
    reached: dict[str, Dependent] = {}
    frontier, steps = [record_id], 0
    while frontier:
        steps += 1
        following = []
        for entry, link in (pair for target in frontier for pair in naming[target]):
            if entry.record.id not in reached and entry.record.id != record_id:
                reached[entry.record.id] = Dependent(entry, link, steps)
                following += [] if link.is_beside else [entry.record.id]
        frontier = following
    return list(reached.values())
