"""When a record holds, and whether it may be relied on as of a day.

Intervals are half-open `[starts_on, ends_on)`. A correction replaces the whole interval of what it corrects; a
change closes it at the successor's own start; a retraction leaves none.
"""

from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

from ledger.analysis.validity.links import foundations
from ledger.analysis.validity.supersession import last_successor
from ledger.model.catalogue import Catalogue
from ledger.model.record import Record
from ledger.model.records.claim import Claim
from ledger.model.records.cost import Cost
from ledger.model.records.retraction import Retraction
from ledger.model.records.source import Source
from ledger.model.values.values import PartialDate

Status = Literal["current", "not yet", "superseded", "retracted", "ended", "undated"]


@dataclass(frozen=True, slots=True)
class Validity:
    """The interval in which a record holds, and how it closes."""

    starts_on: date | None
    """None where nothing says since when."""
    ends_on: date | None
    """First day on which it holds no longer; None while open."""
    final_status: Status = "current"
    """What becomes of the record when its interval ends; `current` while nothing ends it."""
    because: str = ""
    by: str | None = None
    """Id of the successor or retraction."""
    void: bool = False
    """Whether the whole interval is taken back, by a correction or a retraction."""

    def status(self, as_of: date) -> Status:
        """Return what the record is on a day."""
        if self.void:
            return self.final_status
        if self.starts_on is None:
            return "undated"
        if as_of < self.starts_on:
            return "not yet"
        return self.final_status if self.ends_on is not None and self.ends_on <= as_of else "current"


def validity(catalogue: Catalogue, record: Record) -> Validity:
    """Return the interval of a record among all others; what rests on a retracted record is taken back with it."""
    held = validity_by_itself(catalogue, record)
    fallen = None if held.final_status == "retracted" else _fallen_foundation(catalogue, record)
    if fallen is None:
        return held
    return Validity(held.starts_on, None, "retracted", f"rests on {fallen.record_id}, {fallen.because}", fallen.by, void=True)


def validity_by_itself(catalogue: Catalogue, record: Record) -> Validity:
    """Return the interval of a record whatever became of what it rests on."""
    starts_on = valid_from(catalogue, record)
    ended_on, because = _own_end(record)
    if (entry := catalogue.retractions.get(record.id)) and isinstance(entry.record, Retraction):
        return Validity(starts_on, None, "retracted", f"on {entry.record.retracted_on}: {entry.record.reason}", entry.record.id, void=True)
    if (successor := catalogue.successors.get(record.id)) and (link := successor.record.supersedes):
        void = link.because == "correction"
        closed_on = None if void else valid_from(catalogue, last_successor(catalogue, successor.record, corrections_only=True)) or starts_on
        if void or ended_on is None or closed_on is None or closed_on <= ended_on:
            return Validity(starts_on, closed_on, "superseded", f"{link.because}: {link.reason}", successor.record.id, void)
    return Validity(starts_on, ended_on, "ended" if ended_on else "current", because)


class _Fallen(NamedTuple):
    """A retracted record that another one rests on."""

    record_id: str
    because: str
    by: str


def _fallen_foundation(catalogue: Catalogue, record: Record) -> _Fallen | None:
    """The first retracted record that a record rests on, directly or through others."""
    waiting, seen = list(foundations(record)) if catalogue.retractions else [], {record.id}
    while waiting:
        below_id = waiting.pop(0)
        if below_id in seen:
            continue
        seen.add(below_id)
        if (entry := catalogue.retractions.get(below_id)) and isinstance(entry.record, Retraction):
            return _Fallen(below_id, f"retracted on {entry.record.retracted_on}: {entry.record.reason}", entry.record.id)
        below = catalogue.by_id.get(below_id)
        waiting += foundations(below.record) if below else ()
    return None


def _own_end(record: Record) -> tuple[date | None, str]:
    """The first day on which a record says of itself that it holds no longer, and why."""
    if isinstance(record, Claim) and record.ended:
        return record.ended.on.first, record.ended.because
    if isinstance(record, Cost) and isinstance(record.effective_to, PartialDate):
        return record.effective_to.first, ""
    return None, ""


def valid_from(catalogue: Catalogue, record: Record) -> date | None:
    """Return the first day for which the record is known to hold; None where nothing says.

    A claim without a date held at the latest when its source was first read; kinds without dates hold on every day (`date.min`).
    """
    match record:
        case Cost():
            return record.valid_from
        case Claim():
            return record.valid_from or _first_read(catalogue, record)
        case Source():
            return (record.published_on.first if record.published_on else record.first_seen) or date.min
    return date.min


def _first_read(catalogue: Catalogue, claim: Claim) -> date | None:
    """When an undated claim's source was first read; None where the claim had ended by then."""
    source = catalogue.get(claim.source or "", Source)
    seen = source.first_seen if source else None
    return None if seen and claim.ended and claim.ended.on.first <= seen else seen


def status(catalogue: Catalogue, record: Record, as_of: date) -> Status:
    """Return what a record is on a day."""
    return validity(catalogue, record).status(as_of)


def is_current(catalogue: Catalogue, record: Record, as_of: date) -> bool:
    """Whether the record holds on that day and nothing replaced it."""
    return status(catalogue, record, as_of) == "current"
