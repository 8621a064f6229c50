"""How far a claim can be relied on, with reasons: high to very low, one level down for each cause, never averaged.

The domains are those of GRADE: risk of bias (who says it), indirectness (for which conditions), imprecision (interval
and sample), inconsistency (runs or claims that disagree) and selection (the best of several results).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from ledger.analysis.claims.claim_tests import measured_tests
from ledger.analysis.claims.claimants import claimant_relation
from ledger.analysis.claims.comparability import PERFORMANCE, conditions_of, core_conditions
from ledger.analysis.claims.readings import Reading, readings
from ledger.analysis.validity.validity import validity
from ledger.model.catalogue import Catalogue
from ledger.model.records.claim import Claim
from ledger.model.records.run import Run
from ledger.model.records.source import Source
from ledger.model.values.reference import CellReference, parse_reference

Level = Literal["high", "moderate", "low", "very low"]
Domain = Literal["risk of bias", "indirectness", "imprecision", "inconsistency", "selection", "standing"]
LEVELS: tuple[Level, ...] = ("high", "moderate", "low", "very low")
WIDE = 0.2
"""An interval wider than this share of its estimate is imprecise."""
FEW = 30
"""Fewer distinct prompts or samples than this are few."""
_BIASED_RELATIONS = {
    "supplier": "the supplier speaks of what it sells or maintains",
    "author": "the method's authors speak of their own method",
    "user-report": "a single user's report",
    "unknown": "its source cannot be read, so nobody knows who speaks",
}
_WEAK_SOURCES = {"c": "a secondary source, or one report", "d": "a weak source"}


@dataclass(frozen=True, slots=True)
class Downgrade:
    """One level down: in which domain, and what caused it."""

    domain: Domain
    cause: str
    levels: int = 1


@dataclass(frozen=True, slots=True)
class Certainty:
    """The level and every downgrade that led to it."""

    level: Level
    downgrades: tuple[Downgrade, ...]


def certainty(catalogue: Catalogue, claim: Claim, as_of: date) -> Certainty:
    """Return how far a claim can be relied on as of a day: high, less one level for each cause, at worst very low."""
    downgrades = tuple(_downgrades(catalogue, claim, as_of))
    return Certainty(LEVELS[min(len(LEVELS) - 1, sum(downgrade.levels for downgrade in downgrades))], downgrades)


def _downgrades(catalogue: Catalogue, claim: Claim, as_of: date) -> Iterator[Downgrade]:
    held = validity(catalogue, claim)
    if held.void:
        yield Downgrade("standing", f"{held.final_status} by {held.by}", 3)
    elif held.status(as_of) in ("superseded", "ended"):
        yield Downgrade("standing", f"{held.final_status}: {held.because}")
    if claim.label == "proposed":
        yield Downgrade("standing", "proposed: nobody has observed it", 3)
        return
    numbers = readings(catalogue, claim)
    yield from _bias(catalogue, claim)
    yield from _indirectness(numbers)
    yield from _imprecision(claim, numbers)
    yield from _inconsistency(catalogue, claim, as_of)
    if names := ", ".join(reading.name for reading in numbers if reading.bound == "up-to"):
        yield Downgrade("selection", f"'up to' names the best of several results ({names})")


def _bias(catalogue: Catalogue, claim: Claim) -> Iterator[Downgrade]:
    if claim.label == "measured":
        unplanned = [run.id for run in _runs(catalogue, claim) if not run.planned]
        if unplanned:
            yield Downgrade("risk of bias", f"not planned beforehand ({', '.join(unplanned)})")
        return
    source, relation = catalogue.get(claim.source or "", Source), claimant_relation(catalogue, claim)
    if relation in _BIASED_RELATIONS:
        yield Downgrade("risk of bias", _BIASED_RELATIONS[relation])
    if source and source.reliability in _WEAK_SOURCES:
        yield Downgrade("risk of bias", _WEAK_SOURCES[source.reliability])


def _runs(catalogue: Catalogue, claim: Claim) -> list[Run]:
    parsed = [parse_reference(reference) for reference in claim.values.values()]
    names = dict.fromkeys(reference.run for reference in parsed if isinstance(reference, CellReference))
    return [run for name in names if (run := catalogue.get(name, Run))]


def _indirectness(numbers: list[Reading]) -> Iterator[Downgrade]:
    """Conditions without which a number of performance carries over to nothing."""
    missing: dict[str, list[str]] = {}
    for reading in numbers:
        for key in core_conditions(reading):
            if key not in conditions_of(reading):
                missing.setdefault(key, []).append(reading.name)
    if missing:
        words = "; ".join(f"no {key} stated for {', '.join(names)}" for key, names in missing.items())
        yield Downgrade("indirectness", words)


def _imprecision(claim: Claim, numbers: list[Reading]) -> Iterator[Downgrade]:
    numbers = [reading for reading in numbers if reading.dimension in PERFORMANCE or reading.dimension == "share"]
    withheld = [f"{reading.name} is {reading.reason}" for reading in numbers if reading.reason]
    if claim.label == "measured":
        causes = withheld + [cause for reading in numbers if not reading.reason for cause in _interval_causes(reading)]
    else:
        unsampled = [reading.name for reading in numbers if reading.samples is None]
        few = [f"{reading.name} rests on {reading.samples} samples" for reading in numbers if reading.samples and reading.samples < FEW]
        causes = ([f"neither interval nor sample size stated for {', '.join(unsampled)}"] if unsampled else []) + few
    if causes:
        yield Downgrade("imprecision", "; ".join(causes))


def _interval_causes(reading: Reading) -> Iterator[str]:
    if not reading.is_interval or reading.low is None or reading.high is None:
        yield f"{reading.name} has no interval (n = {reading.samples})"
        return
    if reading.dimension == "ratio" and reading.low <= 1 <= reading.high:
        yield f"the interval of {reading.name} includes no difference"
    elif reading.estimate and float((reading.high - reading.low) / abs(reading.estimate)) > WIDE:
        yield f"the interval of {reading.name} is wide"
    if reading.samples is not None and reading.samples < FEW:
        yield f"{reading.name} rests on {reading.samples} prompts"


def _inconsistency(catalogue: Catalogue, claim: Claim, as_of: date) -> Iterator[Downgrade]:
    others = [other for other in catalogue.of(Claim) if other.id in claim.conflicts_with or claim.id in other.conflicts_with]
    holding = [other.id for other in others if validity(catalogue, other).status(as_of) in ("current", "undated")]
    causes = [f"says otherwise than {', '.join(holding)}"] if holding else []
    for measured, tests in measured_tests(catalogue, claim):
        causes += [f"{measured.id} contradicts it: {test.because}" for test in tests if test.outcome == "contradicts"]
    for run in _runs(catalogue, claim) if claim.label == "measured" else ():
        causes += [f"{run.id} calls {verdict.rule} inconclusive" for verdict in run.verdicts if verdict.outcome == "inconclusive"]
    if causes:
        yield Downgrade("inconsistency", "; ".join(causes))
