"""Rules about dates: what a record says of its own times fits together, and nothing has happened that is still to come."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import NamedTuple

from ledger.errors import FieldPath, Problem, Severity
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.records.article import Edition
from ledger.model.records.claim import Claim
from ledger.model.records.cost import Cost
from ledger.model.records.retraction import Retraction
from ledger.model.records.review import Review
from ledger.model.records.run import Run
from ledger.model.records.source import Source
from ledger.model.values.values import PartialDate


class _Event(NamedTuple):
    """Something that has happened: where it stands, what it is in words, and the first and last day that it may have been."""

    field: FieldPath
    words: str
    first: date
    last: date


def check_order(catalogue: Catalogue) -> Iterator[Problem]:
    """Nothing is said before its source appeared, ended before it began, or seen after its end."""
    for entry in catalogue:
        for earlier, later in _pairs(catalogue, entry):
            if later.last < earlier.first:
                message = f"{later.words} on {later.last}, before {earlier.words} ({earlier.first})."
                yield entry.problem("LEDG018", later.field, message, remedy="Mend a date.")


def _pairs(catalogue: Catalogue, entry: Entry) -> Iterator[tuple[_Event, _Event]]:
    """Pairs of which the first cannot come after the second."""
    match entry.record:
        case Claim() as claim:
            yield from _claim_pairs(catalogue, claim)
        case Cost() as cost:
            yield from _cost_pairs(catalogue, cost)
        case Source() as source:
            published = _event(("published_on",), "it was published", source.published_on)
            received = _event(("received_on",), "it was received", source.received_on)
            yield from _both(published, received)
        case Review() as review:
            target = catalogue.by_id.get(review.target)
            made = _first_made(target) if target else None
            yield from _both(made, _event(("reviewed_on",), "reviewed", review.reviewed_on))
        case Retraction() as retraction:
            target = catalogue.by_id.get(retraction.target)
            made = _first_made(target) if target else None
            yield from _both(made, _event(("retracted_on",), "retracted", retraction.retracted_on))


def _claim_pairs(catalogue: Catalogue, claim: Claim) -> Iterator[tuple[_Event, _Event]]:
    said = _event(("asserted_on",), "it was said", claim.asserted_on)
    ended = _event(("ended", "on"), "it ended", claim.ended.on if claim.ended else None)
    yield from _both(said, ended)
    source = catalogue.get(claim.source or "", Source)
    if source is None:
        return
    if source.volatility != "living" and source.type not in _EDITED:  # a page that is written on tells only its last edition
        yield from _both(_event(("source",), "its source appeared", source.published_on), said)


_EDITED = ("documentation", "issue", "source-code", "quote", "contract", "price-list")
"""Sources that were there before the day they carry, or that hold what was said at several times."""


def _cost_pairs(catalogue: Catalogue, cost: Cost) -> Iterator[tuple[_Event, _Event]]:
    observed = _event(("observed_on",), "it was seen", None if isinstance(cost.observed_on, str) else cost.observed_on)
    if isinstance(cost.effective_to, PartialDate) and cost.basis not in _AFTERWARDS:
        yield from _both(observed, _last_day(cost.effective_to))
    source = catalogue.get(cost.source, Source)
    if observed and source and source.published_on and source.volatility == "fixed":
        yield from _both(_event(("source",), "its source appeared", source.published_on), observed)


_AFTERWARDS = ("contract", "quote", "transcription", "estimate")
"""Papers that may be read when what they say is over."""


def _last_day(end: PartialDate) -> _Event:
    """The last day on which a price held that ends on a day, exclusive."""
    return _Event(("effective_to",), "its last day was", end.first - timedelta(1), end.last - timedelta(1))


def _first_made(entry: Entry) -> _Event | None:
    """When a record's own statement was made, at the earliest."""
    match entry.record:
        case Claim() as claim:
            return _event(("target",), "what it speaks of was said", claim.asserted_on)
        case Run() as run:
            return _event(("target",), "the run finished", run.finished_at.date())
        case Source() as source:
            return _event(("target",), "the source appeared", source.published_on)
    return None


def _event(field: FieldPath, words: str, day: PartialDate | date | None) -> _Event | None:
    match day:
        case None:
            return None
        case PartialDate():
            return _Event(field, words, day.first, day.last)
    return _Event(field, words, day, day)


def _both(earlier: _Event | None, later: _Event | None) -> Iterator[tuple[_Event, _Event]]:
    if earlier and later:
        yield earlier, later


def check_future(catalogue: Catalogue, today: date) -> Iterator[Problem]:
    """What was said, seen, read, reviewed, run or taken back lies no later than today; announced starts and ends may."""
    for entry in catalogue:
        for field, day in _past_days(entry):
            if day > today:
                # A run from a machine whose clock is ahead must be kept all the same; its measures are of the monotonic clock.
                severity: Severity = "warning" if isinstance(entry.record, Run) else "error"
                yield entry.problem(
                    "LEDG019", field, f"{day} is in the future.", remedy="Give the day on which it happened.", severity=severity
                )


def _past_days(entry: Entry) -> Iterator[tuple[FieldPath, date]]:
    record = entry.record
    for name in ("asserted_on", "published_on", "received_on", "reviewed_on", "retracted_on", "observed_on"):
        day = getattr(record, name, None)
        if isinstance(day, PartialDate):
            yield (name,), day.first
        elif isinstance(day, date):
            yield (name,), day
    for name in ("started_at", "finished_at", "published_at"):
        if isinstance(instant := getattr(record, name, None), datetime):
            yield (name,), instant.date()
    if isinstance(record, Edition):
        yield ("as_of",), record.as_of
    if isinstance(record, Source):
        for index, capture in enumerate(record.captures):
            yield ("captures", index, "retrieved_at"), capture.retrieved_at
            if capture.fetched_at:
                yield ("captures", index, "fetched_at"), capture.fetched_at.date()
