"""What a record names, and what it rests on: the one answer for rules, staleness, impact and documents.

Two questions, two answers. `links_of` gives every id that stands in a record, whatever for. `foundations` gives only
what the record's statement stands or falls with: its sources, and the runs and claims that its numbers come from.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ledger.analysis.validity.supersession import is_replaced
from ledger.errors import FieldPath
from ledger.model.catalogue import Catalogue
from ledger.model.record import Record
from ledger.model.records.article import Article, Edition
from ledger.model.records.claim import Claim
from ledger.model.records.cost import Cost
from ledger.model.records.protocol import Protocol
from ledger.model.records.retraction import Retraction
from ledger.model.records.review import Review
from ledger.model.records.run import Run
from ledger.model.records.waiver import Waiver
from ledger.model.values.reference import QuantityReference, parse_reference

_BESIDE = ("supersedes", "conflicts_with", "target")
"""Fields that speak of another record without needing it."""


class Link(NamedTuple):
    """An id that stands in a record."""

    field: FieldPath
    target: str
    kind: str | None = None
    """The kind of record that the field asks for; None where any kind will do."""

    @property
    def is_beside(self) -> bool:
        """Whether the field only speaks of the other record, so that a change of it leaves this one as good as before."""
        return self.field[0] in _BESIDE


def links_of(record: Record) -> Iterator[Link]:
    """Yield every id that a record names: in fields that hold ids, then in the references under `values`."""
    yield from id_fields(record)
    if isinstance(record, Claim):
        yield from (Link(("values", name), target) for name, target in value_targets(record).items())


def id_fields(record: Record) -> Iterator[Link]:
    """Yield the ids in fields that hold ids, each with the kind of record that it must be."""
    if record.supersedes:
        yield Link(("supersedes", "id"), record.supersedes.id, record.KIND)
    match record:
        case Claim():
            yield from _claim_fields(record)
        case Cost():
            yield Link(("source",), record.source, "source")
            yield from (Link(("conflicts_with", i), other, "cost") for i, other in enumerate(record.conflicts_with))
        case Review() | Retraction() | Waiver():
            yield Link(("target",), record.target)
        case Protocol():
            yield Link(("workload",), record.workload, "workload")
            yield from (Link(("suites", i), suite, "suite") for i, suite in enumerate(record.suites))
        case Run():
            yield Link(("protocol",), record.protocol, "protocol")
        case Edition():
            yield Link(("article",), record.article, "article")
            yield from (Link(("cited", i, "id"), cited.id) for i, cited in enumerate(record.cited))
        case Article(technical_edition=str(edition)):
            yield Link(("technical_edition",), edition)


def _claim_fields(claim: Claim) -> Iterator[Link]:
    if claim.source:
        yield Link(("source",), claim.source, "source")
    if claim.protocol:
        yield Link(("protocol",), claim.protocol, "protocol")
    yield from (Link(("also", i, "source"), support.source, "source") for i, support in enumerate(claim.also))
    yield from (Link(("bears_on", i), other, "claim") for i, other in enumerate(claim.bears_on))
    yield from (Link(("conflicts_with", i), other, "claim") for i, other in enumerate(claim.conflicts_with))


def foundations(record: Record) -> tuple[str, ...]:
    """Return the ids that a claim or cost rests on, each once: sources, runs, and claims whose quantities it repeats."""
    behind_values = value_targets(record).values() if isinstance(record, Claim) else ()
    return tuple(dict.fromkeys((*(source for source, _locator in places_in_sources(record)), *behind_values)))


def places_in_sources(record: Record) -> tuple[tuple[str, str | None], ...]:
    """Return the sources that a claim or cost rests on, each with the place in it where one is given."""
    if isinstance(record, Claim):
        own = ((record.source, record.locator),) if record.source else ()
        return (*own, *((support.source, support.locator) for support in record.also))
    return ((record.source, record.locator),) if isinstance(record, Cost) else ()


def value_targets(claim: Claim) -> dict[str, str]:
    """Return, by name of value, the id of the run that it lies in, or of the record whose quantity it repeats."""
    references = ((name, parse_reference(reference)) for name, reference in claim.values.items())
    return {name: parsed.record if isinstance(parsed, QuantityReference) else parsed.run for name, parsed in references}


def run_names(claim: Claim) -> list[str]:
    """Return the ids of the runs that a claim's values lie in, each once; a name such as `@run` is left as it stands."""
    parsed = (parse_reference(reference) for reference in claim.values.values())
    return list(dict.fromkeys(reference.run for reference in parsed if not isinstance(reference, QuantityReference)))


def resting_on(catalogue: Catalogue, source_id: str) -> Iterator[Record]:
    """Yield the claims and costs that rest on a source and were neither superseded nor retracted, in order of id."""
    for record in (*catalogue.of(Claim), *catalogue.of(Cost)):
        if any(source == source_id for source, _locator in places_in_sources(record)) and not is_replaced(catalogue, record.id):
            yield record
