"""Coverage: what nobody tested, ran, reviewed or read again in time, against the limits that the ledger sets itself."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from ledger.analysis.validity.validity import is_current
from ledger.model.catalogue import AnyRecord, Catalogue
from ledger.model.records.claim import Claim
from ledger.model.records.protocol import Protocol
from ledger.model.records.review import Review
from ledger.model.records.run import Run
from ledger.model.records.source import Source
from ledger.model.records.waiver import Waiver
from ledger.model.values.meaning import meaning_hash

Gap = Literal["untested-claim", "protocol-never-run", "source-never-reviewed", "source-overdue", "review-lapsed", "waiver-ran-out"]
TITLES: dict[Gap, str] = {
    "untested-claim": "vendor claims that nobody tested",
    "protocol-never-run": "protocols never run",
    "source-never-reviewed": "sources never reviewed",
    "source-overdue": "sources past their recheck date",
    "review-lapsed": "reviews lapsed",
    "waiver-ran-out": "waivers that ran out",
}


@dataclass(frozen=True, slots=True)
class Uncovered:
    """One record that a gap is about, and why."""

    gap: Gap
    record: str
    because: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """One kind of gap: how many of how many records, which, and whether that is more than allowed."""

    gap: Gap
    uncovered: tuple[Uncovered, ...]
    total: int
    allowed: int | None
    """None where no limit is set."""

    @property
    def is_exceeded(self) -> bool:
        """Whether there are more than the policy allows."""
        return self.allowed is not None and len(self.uncovered) > self.allowed


def coverage(catalogue: Catalogue, as_of: date, *, allowed: dict[Gap, int | None], recheck_days: int | None) -> list[Coverage]:
    """Return every kind of gap on a day; `recheck_days` holds for living sources that name no interval of their own."""
    claims = [claim for claim in _current(catalogue, Claim, as_of) if claim.label == "vendor-claimed" and claim.side == "technical"]
    protocols, sources = _current(catalogue, Protocol, as_of), _current(catalogue, Source, as_of)
    targets = {review.target: review for review in _current(catalogue, Review, as_of)}
    waivers = _current(catalogue, Waiver, as_of)
    rows: list[tuple[Gap, Iterator[Uncovered], int]] = [
        ("untested-claim", _untested(catalogue, claims), len(claims)),
        ("protocol-never-run", _never_run(catalogue, protocols), len(protocols)),
        ("source-never-reviewed", _never_reviewed(catalogue, sources), len(sources)),
        ("source-overdue", overdue_sources(sources, as_of, recheck_days), len(sources)),
        ("review-lapsed", _lapsed(catalogue, as_of), len(targets)),
        ("waiver-ran-out", _ran_out(waivers, as_of), len(waivers)),
    ]
    return [Coverage(gap, tuple(uncovered), total, allowed.get(gap)) for gap, uncovered, total in rows]


def _current(catalogue: Catalogue, kind: type[AnyRecord], as_of: date) -> list[AnyRecord]:
    return [record for record in catalogue.of(kind) if is_current(catalogue, record, as_of)]


def _untested(catalogue: Catalogue, claims: list[Claim]) -> Iterator[Uncovered]:
    testing = [claim for claim in catalogue.of(Claim) if claim.bears_on and claim.id not in catalogue.retractions]
    tested = {target for claim in testing if claim.label == "measured" for target in claim.bears_on}
    planned = {target: claim.id for claim in testing if claim.label == "proposed" for target in claim.bears_on}
    for claim in claims:
        if claim.id not in tested:
            because = f"{planned[claim.id]} proposes a test" if claim.id in planned else "no measured claim bears on it"
            yield Uncovered("untested-claim", claim.id, because)


def _never_run(catalogue: Catalogue, protocols: list[Protocol]) -> Iterator[Uncovered]:
    done = {run.protocol: run.status for run in sorted(catalogue.of(Run), key=lambda run: run.status == "complete")}
    for protocol in protocols:
        if done.get(protocol.id) != "complete":
            because = f"its latest run is {done[protocol.id]}" if protocol.id in done else "no run names it"
            yield Uncovered("protocol-never-run", protocol.id, because)


def _never_reviewed(catalogue: Catalogue, sources: list[Source]) -> Iterator[Uncovered]:
    reviewed = {review.target for review in catalogue.of(Review) if review.id not in catalogue.retractions}
    for source in sources:
        if source.id not in reviewed:
            yield Uncovered("source-never-reviewed", source.id, "no review names it")


def overdue_sources(sources: list[Source], as_of: date, recheck_days: int | None) -> Iterator[Uncovered]:
    """Yield the living sources that were last read longer ago than their interval."""
    for source in sources:
        due = due_on(source, recheck_days)
        if due is not None and due <= as_of:
            because = f"last read on {source.last_seen}, due on {due}" if source.last_seen else "never captured"
            yield Uncovered("source-overdue", source.id, because)


def due_on(source: Source, recheck_days: int | None) -> date | None:
    """Return the day on which a source is to be read again, `date.min` for one never captured; None where it never is."""
    days = source.recheck_days or (recheck_days if source.volatility == "living" else None)
    if days is None or source.volatility == "fixed":
        return None
    return source.last_seen + timedelta(days=days) if source.last_seen else date.min


def _lapsed(catalogue: Catalogue, as_of: date) -> Iterator[Uncovered]:
    """Records whose every review is of another meaning."""
    by_target: dict[str, list[Review]] = {}
    for review in _current(catalogue, Review, as_of):
        by_target.setdefault(review.target, []).append(review)
    for target, reviews in sorted(by_target.items()):
        entry = catalogue.by_id.get(target)
        if entry and all(review.target_meaning != meaning_hash(entry.record) for review in reviews):
            yield Uncovered("review-lapsed", target, f"reviewed on {max(review.reviewed_on for review in reviews)} as it was then")


def _ran_out(waivers: list[Waiver], as_of: date) -> Iterator[Uncovered]:
    for waiver in waivers:
        if waiver.until <= as_of:
            yield Uncovered("waiver-ran-out", waiver.id, f"{waiver.rule} for {waiver.target} ran out on {waiver.until}")
