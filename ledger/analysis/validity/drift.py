"""A source whose content changed between two captures, and whether a record was checked against the change."""

from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from ledger.model.catalogue import Catalogue
from ledger.model.record import Record
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


def unsettled_drift(catalogue: Catalogue, record: Record, source: Source, *, since: date | None = None) -> Drift | None:
    """Return the first change of a source that the record has not been checked against; None where there is none.

    `since` leaves out what had changed by that day. An accepted review of the record as it stands, made on the day
    of the change or later, settles it.
    """
    changes = drifts(source)
    checked_on = max((review.reviewed_on for review in accepted_reviews(catalogue, record)), default=None) if changes else None
    for drift in changes:
        changed_on = drift.after.retrieved_at
        if (since is None or changed_on > since) and (checked_on is None or checked_on < changed_on):
            return drift
    return None


def accepted_reviews(catalogue: Catalogue, record: Record) -> list[Review]:
    """Return the reviews that accepted a record as it stands."""
    meaning = meaning_hash(record)
    reviews = catalogue.reviews.get(record.id, ())
    return [review for review in reviews if review.target_meaning == meaning and review.verdict == "accepted"]
