"""What a measurement says about a claim: supports, contradicts, inconclusive, or not comparable; always derived, never typed.

An `up to` bound names the best of several results. A value below it neither confirms nor contradicts it, whatever
the conditions; only a value above it says something. A claim counts as met within a tenth of its value.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ledger.analysis.claims.comparability import Difference, differences
from ledger.analysis.claims.readings import Reading, readings
from ledger.model.catalogue import Catalogue
from ledger.model.records.claim import Claim

Relation = Literal["supports", "contradicts", "inconclusive", "not comparable"]
NEAR = Decimal("0.1")
"""How far a measured interval may reach beyond a claimed value, on either side, as a share of that value."""


@dataclass(frozen=True, slots=True)
class Bearing:
    """How one measured number stands to one claimed number."""

    relation: Relation
    because: str
    measured: Reading | None = None
    claimed: Reading | None = None
    differences: tuple[Difference, ...] = ()


def bearing(measured: Reading, claimed: Reading) -> Bearing:
    """Return how a measured number bears on a claimed number of the same metric."""
    found = tuple(differences(claimed, measured))
    relation, because = _relation(measured, claimed)
    if found and relation != "inconclusive":
        because = f"the conditions differ or are unknown: {'; '.join(map(str, found))}"
        return Bearing("not comparable", because, measured, claimed, found)
    return Bearing(relation, because, measured, claimed, found)


def _relation(measured: Reading, claimed: Reading) -> tuple[Relation, str]:
    """The relation as if all conditions agreed."""
    if measured.low is None or measured.high is None:
        return "inconclusive", f"the measurement has no value: {measured.reason or 'not recorded'}"
    if claimed.low is None or claimed.high is None:
        return "inconclusive", "the claim states no number"
    texts = f"{measured.text} against {claimed.text}"
    if claimed.bound == "up-to":
        if measured.low > claimed.high:
            return "contradicts", f"{texts}: above the bound"
        within = measured.high <= claimed.high
        words = "lies within the bound, which neither confirms nor contradicts it" if within else "reaches the bound"
        return "inconclusive", f"{measured.text} {words} ({claimed.text})"
    if claimed.bound == "at-least":
        if measured.high < claimed.low:
            return "contradicts", f"{texts}: below the bound"
        return (
            ("supports", f"{texts}: at or above the bound")
            if measured.low >= claimed.low
            else ("inconclusive", f"{texts}: astride the bound")
        )
    return _against_value(measured, claimed, texts)


def _against_value(measured: Reading, claimed: Reading, texts: str) -> tuple[Relation, str]:
    if measured.low is None or measured.high is None or claimed.low is None or claimed.high is None:
        raise ValueError("got a number without ends, expected those that have both")
    low, high = claimed.low - abs(claimed.low) * NEAR, claimed.high + abs(claimed.high) * NEAR
    if not measured.is_interval:
        return "inconclusive", f"{texts}: the measurement has no interval"
    if measured.high < low or measured.low > high:
        return "contradicts", f"{texts}: the interval lies apart from it"
    if low <= measured.low and measured.high <= high:
        return "supports", f"{texts}: the interval lies within a tenth of it"
    return "inconclusive", f"{texts}: the interval is too wide to tell"


def bearings(catalogue: Catalogue, measured: Claim, claim: Claim) -> list[Bearing]:
    """Return how every number of a measured claim bears on the numbers of the same metric in another claim."""
    ours, theirs = readings(catalogue, measured), readings(catalogue, claim)
    pairs = [bearing(m, c) for c in theirs for m in ours if m.metric == c.metric and m.dimension == c.dimension]
    return pairs or [Bearing("not comparable", "they have no metric in common")]


def overall(found: Iterable[Bearing]) -> Relation:
    """Return one word for several bearings: what disagrees with itself is inconclusive."""
    relations = {one.relation for one in found}
    if {"supports", "contradicts"} <= relations:
        return "inconclusive"
    order: tuple[Relation, ...] = ("contradicts", "supports", "inconclusive")
    return next((relation for relation in order if relation in relations), "not comparable")


def tests_of(catalogue: Catalogue, claim: Claim) -> list[tuple[Claim, list[Bearing]]]:
    """Return the measured claims that say they test this one, each with how it bears on it."""
    testing = [other for other in catalogue.of(Claim) if other.label == "measured" and claim.id in other.bears_on]
    return [(other, bearings(catalogue, other, claim)) for other in testing]
