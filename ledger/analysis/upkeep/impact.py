"""What rests on a record, directly or through others: what would go stale if it changed."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ledger.analysis.rules.links import links_of
from ledger.analysis.upkeep.staleness import Citation
from ledger.errors import FieldPath
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.record import Record
from ledger.model.records.claim import Claim
from ledger.model.values.reference import QuantityReference, parse_reference

BESIDE = ("supersedes", "conflicts_with", "target")
"""Fields that speak of a record without resting on it; what names it so is told, and nothing is followed through it."""


@dataclass(frozen=True, slots=True)
class Dependent:
    """A record that rests on another, the field that says so, and how many steps away it is."""

    entry: Entry
    field: FieldPath
    on: str
    """Id of the record that the field names."""
    steps: int


@dataclass(frozen=True, slots=True)
class Impact:
    """What would go stale if a record changed: other records, and sentences of drafts."""

    dependents: tuple[Dependent, ...]
    citations: tuple[Citation, ...]


def impact(catalogue: Catalogue, record_id: str, citations: Iterable[Citation]) -> Impact:
    """Return what rests on a record, out of all records and of these citations."""
    found = dependents(catalogue, record_id)
    resting = {record_id, *(dependent.entry.record.id for dependent in found if dependent.field[0] not in BESIDE)}
    return Impact(tuple(found), tuple(citation for citation in citations if citation.record in resting))


def named_ids(record: Record) -> Iterator[tuple[FieldPath, str]]:
    """Yield every id that a record names, runs and claims behind its values included."""
    seen = set()
    for field, target, _kind in links_of(record):
        seen.add((field, target))
        yield field, target
    for name, reference in record.values.items() if isinstance(record, Claim) else ():
        parsed = parse_reference(reference)
        target = parsed.record if isinstance(parsed, QuantityReference) else parsed.run
        if (("values", name), target) not in seen:
            yield ("values", name), target


def dependents(catalogue: Catalogue, record_id: str) -> list[Dependent]:
    """Return every record that names this one, or one that does, nearest first; each once."""
    naming: dict[str, list[tuple[Entry, FieldPath]]] = defaultdict(list)
    for entry in sorted(catalogue.by_id.values(), key=lambda entry: entry.record.id):
        for field, target in named_ids(entry.record):
            naming[target].append((entry, field))
    found: dict[str, Dependent] = {}
    frontier, steps = [record_id], 0
    while frontier:
        steps += 1
        following = []
        for target in frontier:
            for entry, field in naming[target]:
                if entry.record.id not in found and entry.record.id != record_id:
                    found[entry.record.id] = Dependent(entry, field, target, steps)
                    following += [entry.record.id] if field[0] not in BESIDE else []
        frontier = following
    return list(found.values())
