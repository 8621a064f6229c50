"""Rules about ids: used once, pointing at something, superseding without circles or forks."""

from collections import defaultdict
from collections.abc import Iterator
from difflib import get_close_matches

from ledger.analysis.validity.validity import as_corrected, valid_from
from ledger.errors import FieldPath, Problem
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.record import Record
from ledger.model.records.article import Article, Edition
from ledger.model.records.claim import Claim
from ledger.model.records.cost import Cost
from ledger.model.records.protocol import Protocol
from ledger.model.records.retraction import Retraction
from ledger.model.records.review import Review
from ledger.model.records.run import Run
from ledger.model.records.waiver import Waiver

Link = tuple[FieldPath, str, str | None]
"""Field, id, and the kind it must have (None: any)."""


def check_unique_ids(catalogue: Catalogue) -> Iterator[Problem]:
    """Each id is used by one record in the whole ledger."""
    places = defaultdict(list)
    for entry in catalogue:
        places[entry.record.id].append(entry)
    for record_id, entries in places.items():
        paths = [entry.path for entry in entries] + ([catalogue.unread[record_id]] if record_id in catalogue.unread else [])
        if len(paths) > 1:
            where = " and ".join(sorted(paths))
            for entry in entries:
                yield entry.problem("LEDG010", (), f"the id is used by {where}; none of them answers a query.", "Rename all but one.")


def links_of(record: Record) -> Iterator[Link]:
    """Yield every id that a record names."""
    if record.supersedes:
        yield ("supersedes", "id"), record.supersedes.id, record.KIND
    match record:
        case Claim():
            yield from _claim_links(record)
        case Cost():
            yield ("source",), record.source, "source"
            yield from ((("conflicts_with", i), other, "cost") for i, other in enumerate(record.conflicts_with))
        case Review() | Retraction() | Waiver():
            yield ("target",), record.target, None
        case Protocol():
            yield ("workload",), record.workload, "workload"
            yield from ((("suites", i), suite, "suite") for i, suite in enumerate(record.suites))
        case Run():
            yield ("protocol",), record.protocol, "protocol"
        case Edition():
            yield ("article",), record.article, "article"
            yield from ((("cited", i, "id"), cited.id, None) for i, cited in enumerate(record.cited))
        case Article(technical_edition=str(edition)):
            yield ("technical_edition",), edition, None


def _claim_links(claim: Claim) -> Iterator[Link]:
    if claim.source:
        yield ("source",), claim.source, "source"
    if claim.protocol:
        yield ("protocol",), claim.protocol, "protocol"
    yield from ((("also", i, "source"), support.source, "source") for i, support in enumerate(claim.also))
    yield from ((("bears_on", i), other, "claim") for i, other in enumerate(claim.bears_on))
    yield from ((("conflicts_with", i), other, "claim") for i, other in enumerate(claim.conflicts_with))


def check_targets(catalogue: Catalogue) -> Iterator[Problem]:
    """Every id named exists, is of the right kind, and is not the record's own."""
    kinds = {entry.record.id: entry.record.KIND for entry in catalogue}
    for entry in catalogue:
        for field, target, kind in links_of(entry.record):
            if target in catalogue.unread:
                continue
            if target not in kinds:
                yield entry.problem("LEDG011", field, f'no record has the id "{target}".', _did_you_mean(target, kinds))
            elif kind and kinds[target] != kind:
                yield entry.problem("LEDG011", field, f'"{target}" is a {kinds[target]}, expected a {kind}.', f"Name a {kind}.")
            elif target == entry.record.id:
                yield entry.problem("LEDG011", field, "the record names itself.", "Remove it.")


def _did_you_mean(target: str, known: dict[str, str]) -> str:
    near = get_close_matches(target, known, n=1)
    return f"Did you mean {near[0]}?" if near else "Add that record, or mend the id."


def check_cycles(catalogue: Catalogue) -> Iterator[Problem]:
    """Following `supersedes` comes to an end."""
    for entry in catalogue:
        if entry.record.supersedes and entry.record.id in _predecessors(catalogue, entry):
            yield entry.problem("LEDG012", ("supersedes",), "the record supersedes itself in a circle.", "Break the circle.")


def _predecessors(catalogue: Catalogue, entry: Entry | None) -> list[str]:
    seen: list[str] = []
    while entry and entry.record.supersedes and entry.record.supersedes.id not in seen:
        seen.append(entry.record.supersedes.id)
        entry = catalogue.by_id.get(seen[-1])
    return seen


def check_forks(catalogue: Catalogue) -> Iterator[Problem]:
    """No record has two successors; one that was retracted does not count."""
    heirs = defaultdict(list)
    for entry in catalogue:
        if entry.record.supersedes and entry.record.id not in catalogue.retractions:
            heirs[entry.record.supersedes.id].append(entry)
    for old, entries in heirs.items():
        if len(entries) > 1:
            names = ", ".join(f"{entry.record.id} ({entry.path})" for entry in entries)
            for entry in entries:
                yield entry.problem("LEDG013", ("supersedes",), f"{old} is superseded by {names}.", "Let one supersede the other.")


def check_succession(catalogue: Catalogue) -> Iterator[Problem]:
    """A change, as corrected, begins no earlier than what it closes."""
    for entry in catalogue:
        link = entry.record.supersedes
        old = catalogue.by_id.get(link.id) if link else None
        if not link or not old or link.because == "correction":
            continue
        last = catalogue.by_id.get(as_corrected(catalogue, entry.record).id, entry)
        began, before = valid_from(catalogue, last.record), valid_from(catalogue, old.record)
        if began and before and began < before:
            yield last.problem(
                "LEDG014",
                ("supersedes",),
                f"the change begins on {began}, before {link.id} does ({before}).",
                "Mend a date, or call it a correction.",
            )
