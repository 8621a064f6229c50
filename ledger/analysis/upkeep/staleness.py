"""Staleness: the one evaluator, with closed reasons, behind `article stale`, `impact`, `check` and the editions (DESIGN 2.13).

What is cited may have been superseded, retracted, outlived, lost its review, seen its source move, or be gone; the
same is asked of the runs and claims that its numbers come from.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from textwrap import shorten
from typing import Literal

from ledger.analysis.claims.readings import readings
from ledger.analysis.claims.resolve import statement_text
from ledger.analysis.prices.pricing import price_text
from ledger.analysis.validity.drift import unsettled_drift
from ledger.analysis.validity.links import foundations
from ledger.analysis.validity.supersession import last_successor
from ledger.analysis.validity.validity import Validity, validity_by_itself
from ledger.errors import Problem
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.record import Record
from ledger.model.records.claim import Claim
from ledger.model.records.cost import Cost
from ledger.model.records.source import Source
from ledger.model.values.meaning import meaning_hash

Reason = Literal[
    "superseded by a correction", "superseded by a change", "retracted", "validity over", "review lapsed", "source moved", "orphaned"
]
CODE = "LEDG140"
_STATEMENT_WIDTH = 100
_CITE_ANOTHER = "Cite another record, or drop the sentence."


@dataclass(frozen=True, slots=True)
class Citation:
    """One place that rests on a record: a sentence of a draft, an entry of an edition, a field of another record."""

    record: str
    path: str
    line: int
    column: int = 1
    name: str | None = None
    """Name of the quantity that it prints."""
    sentence: str = ""
    printed: str | None = None
    """What it printed, where known."""
    meaning: str | None = None
    """Meaning hash of the record when it was cited; None for a draft, which cites what is there."""
    seen_on: date | None = None
    """Day by which everything known counted; changes of sources up to it are no news. None for a draft."""
    cited_by: str = ""
    as_of: date | None = None
    """Day that the document speaks of; it prints what had become of a record by then."""


@dataclass(frozen=True, slots=True)
class Stale:
    """A citation that no longer stands: why, what it said and what holds now, and what to do."""

    citation: Citation
    reason: Reason
    because: str
    remedy: str
    old: str | None = None
    new: str | None = None
    through: str | None = None
    """Id of the record below the cited one that fell; None where it is the cited one itself."""
    is_told: bool = False
    """Whether the document prints it beside the citation: a change or an end by its own day."""

    @property
    def is_linted(self) -> bool:
        """Whether the lint of a draft tells it already, as an error: its record is gone or was taken back."""
        return self.through is None and self.reason in ("orphaned", "retracted")

    @property
    def message(self) -> str:
        """One line: what is cited, why it is stale, the old and the new value."""
        through = f" through {self.through}" if self.through else ""
        values = f" It said {self.old}; now {self.new}." if self.old and self.new else f" It said {self.old}." if self.old else ""
        return f"{self.citation.record}: {self.reason}{through}: {self.because.rstrip('.')}.{values}"

    def problem(self) -> Problem:
        """Return the finding, placed at the sentence."""
        problem = Problem(CODE, self.message, self.remedy, self.citation.path, severity="warning", record=self.citation.record)
        return problem.at(self.citation.line, self.citation.column)


def stale(catalogue: Catalogue, citations: Iterable[Citation], as_of: date) -> Iterator[Stale]:
    """Yield every citation that no longer stands on a day, once for each reason."""
    for citation in citations:
        entry = catalogue.by_id.get(citation.record)
        if entry is None:
            yield Stale(citation, "orphaned", "no such record is in the ledger", _CITE_ANOTHER, citation.printed)
        else:
            yield from _of_entry(catalogue, citation, entry, as_of=as_of)


def _of_entry(catalogue: Catalogue, citation: Citation, entry: Entry, *, as_of: date) -> Iterator[Stale]:
    if citation.meaning and citation.meaning != meaning_hash(entry.record):
        yield Stale(citation, "orphaned", "the meaning that was cited is no longer there", "Restore the record.", citation.printed)
    own = _stale_by_status(catalogue, citation, entry.record, record=entry.record, as_of=as_of)
    if own:
        yield own
        return
    for record_id in foundations(entry.record):
        below = catalogue.by_id.get(record_id)
        if below is None:
            remedy = "Restore it, or cite another record."
            yield Stale(
                citation, "orphaned", f"{record_id} is not in the ledger", remedy, _said_text(catalogue, citation), through=record_id
            )
        elif closed := _stale_by_status(catalogue, citation, entry.record, record=below.record, as_of=as_of):
            yield closed
    yield from _review_lapsed(catalogue, citation, entry.record)


def _stale_by_status(catalogue: Catalogue, citation: Citation, cited: Record, *, record: Record, as_of: date) -> Stale | None:
    """What became of the cited record, or of one that it rests on."""
    through = None if record.id == cited.id else record.id
    held = validity_by_itself(catalogue, record)  # each record below is asked in its turn
    old = _said_text(catalogue, citation)
    match held.status(as_of):
        case "retracted":
            return Stale(citation, "retracted", held.because, _CITE_ANOTHER, old, through=through)
        case "superseded" if isinstance(record, Source):
            because = f"superseded by {held.by} ({held.because})"
            return Stale(citation, "source moved", because, f"Check the sentence against {held.by}.", old, through=through)
        case "superseded":
            reason: Reason = "superseded by a correction" if held.void else "superseded by a change"
            last = last_successor(catalogue, record)
            new = _printed_text(catalogue, last, citation.name) if through is None else None
            remedy = f"Cite {last.id} instead." if through is None else f"Supersede {cited.id} with one that rests on {last.id}."
            return Stale(citation, reason, held.because.split(": ", 1)[-1], remedy, old, new, through, _is_told(citation, held))
        case "ended":
            because = f"it held up to {held.ends_on}" + (f": {held.because}" if held.because else "")
            remedy = "Say when it held, or cite what holds now."
            return Stale(citation, "validity over", because, remedy, old, through=through, is_told=_is_told(citation, held))
    if isinstance(record, Source) and (drift := unsettled_drift(catalogue, cited, record, since=citation.seen_on)):
        because = f"its content of {drift.before.retrieved_at} differed on {drift.after.retrieved_at}"
        return Stale(citation, "source moved", because, f"Read it again, then review or supersede {cited.id}.", old, through=through)
    return None


def _is_told(citation: Citation, held: Validity) -> bool:
    return held.ends_on is not None and citation.as_of is not None and held.ends_on <= citation.as_of


def _review_lapsed(catalogue: Catalogue, citation: Citation, record: Record) -> Iterator[Stale]:
    reviews = catalogue.reviews.get(record.id, ())
    meaning = meaning_hash(record) if reviews else ""
    if reviews and all(review.target_meaning != meaning for review in reviews):
        last = max(reviews, key=lambda review: review.reviewed_on)
        because = f"the review of {last.reviewed_on} by {last.reviewer} was of another meaning"
        yield Stale(citation, "review lapsed", because, f"Review {record.id} again.", _said_text(catalogue, citation))


def _said_text(catalogue: Catalogue, citation: Citation) -> str | None:
    """What the citation printed: as told, else what its record prints."""
    entry = catalogue.by_id.get(citation.record)
    return citation.printed or (_printed_text(catalogue, entry.record, citation.name) if entry else None)


def _printed_text(catalogue: Catalogue, record: Record, name: str | None) -> str | None:
    if isinstance(record, Cost):
        return price_text(record)
    if not isinstance(record, Claim):
        return None
    if name is None:
        return f'"{shorten(statement_text(catalogue, record)[0], _STATEMENT_WIDTH, placeholder=" …")}"'
    return next((reading.text for reading in readings(catalogue, record) if reading.name == name), None)
