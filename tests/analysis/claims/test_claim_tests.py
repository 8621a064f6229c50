"""What a measurement says about a claim: bounds, conditions, versions and intervals (C18, C19)."""

from typing import TYPE_CHECKING

import pytest

from ledger.analysis.claims.claim_tests import ClaimTest, claim_test, claim_tests, overall_outcome
from ledger.analysis.claims.readings import Reading
from ledger.model.records.claim import Claim
from tests.reading_fixtures import number

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


@pytest.mark.parametrize(
    ("measured", "claimed", "outcome"),
    [
        (number("1.4"), number("2.8", bound="up-to"), "inconclusive"),
        (number("2.9", "3.1"), number("2.8", bound="up-to"), "contradicts"),
        (number("2.7", "2.9"), number("2.8", bound="up-to"), "inconclusive"),
        (number("2.1", "2.3"), number("2", bound="at-least"), "supports"),
        (number("1.1", "1.3"), number("2", bound="at-least"), "contradicts"),
        (number("1.9", "2.3"), number("2", bound="at-least"), "inconclusive"),
        (number("1.95", "2.05"), number("2"), "supports"),
        (number("1.1", "1.2"), number("2"), "contradicts"),
        (number("1.2", "2.4"), number("2"), "inconclusive"),
        (number("2"), number("2"), "inconclusive"),
        (number("2.1", "2.4"), number("2", "3", is_interval=False), "supports"),
    ],
)
def test_bounds_and_intervals(measured: Reading, claimed: Reading, outcome: str) -> None:
    assert claim_test(measured, claimed).outcome == outcome


def test_a_value_within_an_upper_bound_says_nothing_whatever_the_conditions() -> None:
    """C19: 1.4 measured against `up to 2.8`, conditions unknown."""
    found = claim_test(number("1.4", conditions={}), number("2.8", bound="up-to", text="up to 2.8x"))
    assert found.outcome == "inconclusive"
    assert "neither confirms nor contradicts" in found.because
    assert "up to 2.8x" in found.because


def test_conditions_unknown_on_one_side_stand_in_the_way() -> None:
    """C18: temperature 0 against unknown, and another engine version."""
    later = number("1.25", "1.26", conditions={"model": "demo 7B", "hardware": "one L4"}, version="vllm 0.15.0")
    found = claim_test(later, number("1", version="vllm 0.12.0"))
    assert found.outcome == "not comparable"
    texts = {str(difference) for difference in found.differences}
    assert texts == {"temperature: 0 against unknown", "version: vllm 0.12.0 against vllm 0.15.0"}


def test_a_run_bears_on_a_vendor_claim(tested: "LedgerFolder") -> None:
    catalogue = tested.catalogue()
    measured, claim = catalogue.get("we-measured", Claim), catalogue.get("vendor-up-to", Claim)
    assert measured
    assert claim
    [found] = claim_tests(catalogue, measured, claim)
    assert found.outcome == "inconclusive"
    assert {difference.key for difference in found.differences} >= {"temperature", "version", "dataset"}


def test_no_common_metric_and_mixed_outcomes() -> None:
    assert overall_outcome([ClaimTest("supports", ""), ClaimTest("contradicts", "")]) == "inconclusive"
    assert overall_outcome([ClaimTest("supports", ""), ClaimTest("not comparable", "")]) == "supports"
    assert overall_outcome([]) == "not comparable"
