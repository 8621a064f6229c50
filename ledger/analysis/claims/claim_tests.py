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

ClaimTestOutcome = Literal["supports", "contradicts", "inconclusive", "not comparable"]
NEAR = Decimal("0.1")
"""How far a measured interval may reach beyond a claimed value, on either side, as a share of that value."""
Ends = tuple[Decimal, Decimal]
"""Low and high end of a number, both inclusive."""


@dataclass(frozen=True, slots=True)
class ClaimTest:
    """What one measured number says about one claimed number, and why."""

    outcome: ClaimTestOutcome
    because: str
    measured: Reading | None = None
    claimed: Reading | None = None
    differences: tuple[Difference, ...] = ()
    """Conditions in which the two differ, or that only one of them states."""


def claim_test(measured: Reading, claimed: Reading) -> ClaimTest:
    """Return what a measured number says about a claimed number of the same metric."""
    differing = tuple(differences(claimed, measured))
    outcome, because = _outcome_if_alike(measured, claimed)
    if differing and outcome != "inconclusive":
        because = f"the conditions differ or are unknown: {'; '.join(map(str, differing))}"
        return ClaimTest("not comparable", because, measured, claimed, differing)
    return ClaimTest(outcome, because, measured, claimed, differing)


def _outcome_if_alike(measured: Reading, claimed: Reading) -> tuple[ClaimTestOutcome, str]:
    """Return the outcome, and its reason, as if all conditions agreed."""
    if (ours := measured.ends) is None:
        return "inconclusive", f"the measurement has no value: {measured.reason or 'not recorded'}"
    if (theirs := claimed.ends) is None:
        return "inconclusive", "the claim states no number"
    texts = f"{measured.text} against {claimed.text}"
    if claimed.bound == "up-to":
        return _against_upper_bound(ours, theirs, measured.text, claimed=claimed.text)
    if claimed.bound == "at-least":
        return _against_lower_bound(ours, theirs, texts)
    if not measured.is_interval:
        return "inconclusive", f"{texts}: the measurement has no interval"
    return _against_value(ours, theirs, texts)


def _against_upper_bound(ours: Ends, theirs: Ends, measured: str, *, claimed: str) -> tuple[ClaimTestOutcome, str]:
    if ours[0] > theirs[1]:
        return "contradicts", f"{measured} against {claimed}: above the bound"
    is_within = ours[1] <= theirs[1]
    words = "lies within the bound, which neither confirms nor contradicts it" if is_within else "reaches the bound"
    return "inconclusive", f"{measured} {words} ({claimed})"


def _against_lower_bound(ours: Ends, theirs: Ends, texts: str) -> tuple[ClaimTestOutcome, str]:
    if ours[1] < theirs[0]:
        return "contradicts", f"{texts}: below the bound"
    if ours[0] >= theirs[0]:
        return "supports", f"{texts}: at or above the bound"
    return "inconclusive", f"{texts}: astride the bound"


def _against_value(ours: Ends, theirs: Ends, texts: str) -> tuple[ClaimTestOutcome, str]:
    low, high = theirs[0] - abs(theirs[0]) * NEAR, theirs[1] + abs(theirs[1]) * NEAR
    if ours[1] < low or ours[0] > high:
        return "contradicts", f"{texts}: the interval lies apart from it"
    if low <= ours[0] and ours[1] <= high:
        return "supports", f"{texts}: the interval lies within a tenth of it"
    return "inconclusive", f"{texts}: the interval is too wide to tell"


def claim_tests(catalogue: Catalogue, measured: Claim, claim: Claim) -> list[ClaimTest]:
    """Return what each number of a measured claim says about each number of the same metric in another claim; never empty."""
    ours, theirs = readings(catalogue, measured), readings(catalogue, claim)
    tests = [claim_test(m, c) for c in theirs for m in ours if m.metric == c.metric and m.dimension == c.dimension]
    return tests or [ClaimTest("not comparable", "they have no metric in common")]


def overall_outcome(tests: Iterable[ClaimTest]) -> ClaimTestOutcome:
    """Return one outcome for several tests of a claim; where some support and some contradict, it is inconclusive."""
    outcomes = {test.outcome for test in tests}
    if {"supports", "contradicts"} <= outcomes:
        return "inconclusive"
    order: tuple[ClaimTestOutcome, ...] = ("contradicts", "supports", "inconclusive")
    return next((outcome for outcome in order if outcome in outcomes), "not comparable")


def measured_tests(catalogue: Catalogue, claim: Claim) -> list[tuple[Claim, list[ClaimTest]]]:
    """Return the measured claims that name this one under `bears_on`, each with what it says about it."""
    measuring = [other for other in catalogue.of(Claim) if other.label == "measured" and claim.id in other.bears_on]
    return [(other, claim_tests(catalogue, other, claim)) for other in measuring]
