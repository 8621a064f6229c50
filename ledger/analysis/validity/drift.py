"""A source whose content changed between two captures, and what rests on it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from ledger.model.catalogue import Catalogue
from ledger.model.record import Record
from ledger.model.records.claim import Claim
from ledger.model.records.cost import Cost
from ledger.model.records.review import Review
from ledger.model.records.source import Capture, Source
from ledger.model.values.meaning import meaning_hash


@dataclass(frozen=True, slots=True)
class Drift:
    """Two captures of one source, one after the other, with different content."""

    source: Source
    before: Capture
    after: Capture


def drifts(source: Source) -> list[Drift]:
    """Return every change of content between captures whose hash is known, in order of time."""
    hashed = sorted((c for c in source.captures if c.sha256), key=lambda c: (c.retrieved_at, source.captures.index(c)))
    return [Drift(source, before, after) for before, after in pairwise(hashed) if has_changed(before, after)]


def has_changed(before: Capture, after: Capture) -> bool:
    """Whether the content differs: by the text where both have one, else by the bytes."""
    if before.text_sha256 and after.text_sha256:
        return before.text_sha256 != after.text_sha256
    return before.sha256 != after.sha256


def sources_of(record: Record) -> tuple[str, ...]:
    """Return the ids of the sources that a claim or cost rests on."""
    if isinstance(record, Claim):
        return (*((record.source,) if record.source else ()), *(support.source for support in record.also))
    return (record.source,) if isinstance(record, Cost) else ()


def unsettled_drift(catalogue: Catalogue, record: Record, source: Source, since: date | None = None) -> Drift | None:
    """Return the first change of a source that the record has not been checked against; None where there is none.

    `since` leaves out what had changed by that day. An accepted review of the record as it stands, made on the day
    of the change or later, settles it.
    """
    found = drifts(source)
    checked_on = max((review.reviewed_on for review in accepted_reviews(catalogue, record)), default=None) if found else None
    for drift in found:
        changed_on = drift.after.retrieved_at
        if (since is None or changed_on > since) and (checked_on is None or checked_on < changed_on):
            return drift
    return None


def accepted_reviews(catalogue: Catalogue, record: Record) -> list[Review]:
    """Return the reviews that accepted a record as it stands."""
    meaning = meaning_hash(record)
    reviews = [review for review in catalogue.reviews.get(record.id, ()) if isinstance(review, Review)]
    return [review for review in reviews if review.target_meaning == meaning and review.verdict == "accepted"]


def resting_on(catalogue: Catalogue, source_id: str) -> Iterator[Record]:
    """Yield the claims and costs that rest on a source and were not replaced, in order of id."""
    closed = catalogue.successors.keys() | catalogue.retractions.keys()
    for record in (*catalogue.of(Claim), *catalogue.of(Cost)):
        if source_id in sources_of(record) and record.id not in closed:
            yield record
