"""What a measurement says about a claim: bounds, conditions, versions and intervals (C18, C19)."""

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from ledger.analysis.claims.claim_tests import Bearing, bearing, bearings, overall
from ledger.analysis.claims.comparability import differences, is_same
from ledger.analysis.claims.readings import Reading, readings
from ledger.model.records.claim import Claim

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

CLAIM = Claim(id="a", label="measured", side="technical", subject="demo", statement="s")
ALIKE = {"model": "demo 7B", "hardware": "one L4", "temperature": "0"}


def number(low: str, high: str | None = None, **changes: Any) -> Reading:
    """A reading of a speed-up; two ends make a measured interval."""
    ends = {"low": Decimal(low), "high": Decimal(high or low), "is_interval": high is not None}
    fields = {"bound": "exactly", "conditions": ALIKE, "version": "vllm 0.32.0", "text": f"{low}x"} | ends | changes
    return Reading(CLAIM, "gain", "throughput-speedup", "ratio", **fields)


@pytest.mark.parametrize(
    ("measured", "claimed", "relation"),
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
def test_bounds_and_intervals(measured: Reading, claimed: Reading, relation: str) -> None:
    assert bearing(measured, claimed).relation == relation


def test_a_value_within_an_upper_bound_says_nothing_whatever_the_conditions() -> None:
    """C19: 1.4 measured against `up to 2.8`, conditions unknown."""
    found = bearing(number("1.4", conditions={}), number("2.8", bound="up-to", text="up to 2.8x"))
    assert found.relation == "inconclusive"
    assert "neither confirms nor contradicts" in found.because
    assert "up to 2.8x" in found.because


def test_conditions_unknown_on_one_side_stand_in_the_way() -> None:
    """C18: temperature 0 against unknown, and another engine version."""
    later = number("1.25", "1.26", conditions={"model": "demo 7B", "hardware": "one L4"}, version="vllm 0.15.0")
    found = bearing(later, number("1", version="vllm 0.12.0"))
    assert found.relation == "not comparable"
    texts = {str(difference) for difference in found.differences}
    assert texts == {"temperature: 0 against unknown", "version: vllm 0.12.0 against vllm 0.15.0"}


def test_without_model_and_hardware_on_either_side_nothing_is_comparable() -> None:
    texts = [str(one) for one in differences(number("1", conditions={}), number("2", conditions={}))]
    assert texts == ["model: unknown on both sides", "hardware: unknown on both sides"]


@pytest.mark.parametrize(
    ("key", "left", "right", "same"),
    [
        ("temperature", "0", "0.0", True),
        ("temperature", "0", "0.7", False),
        ("version", "vLLM 0.6", "vllm 0.6.3", True),
        ("version", "vLLM 0.6", "vllm 0.60.1", False),
        ("version", "vLLM main", "vllm MAIN", True),
        ("model", "Llama-3.1 8B", "llama 3.1-8B", True),
        ("model", "Llama-3.1 8B", "Llama-3.1 70B", False),
    ],
)
def test_conditions_say_the_same(key: str, left: str, right: str, same: bool) -> None:
    assert is_same(key, left, right) is same


def test_a_run_bears_on_a_vendor_claim(tested: "LedgerFolder") -> None:
    catalogue = tested.catalogue()
    measured, claim = catalogue.get("we-measured", Claim), catalogue.get("vendor-up-to", Claim)
    assert measured
    assert claim
    [found] = bearings(catalogue, measured, claim)
    assert found.relation == "inconclusive"
    assert {difference.key for difference in found.differences} >= {"temperature", "version", "dataset"}
    [reading] = readings(catalogue, measured)
    assert (reading.conditions["temperature"], reading.conditions["concurrency"], reading.version) == ("0", "1", "vllm 0.32.0")


def test_an_inverted_ratio_counts_as_a_speed_up(tested: "LedgerFolder") -> None:
    ratio = {"value": 0.5, "low": 0.4, "high": 0.8, "unit": "ratio", "n": 40}
    comparison = {"arm": "ngram", "base": "base", "load": "c1", "metrics": {"tpot.p50": ratio}}
    tested.add("run", "second", comparisons=[comparison])
    fields = {"label": "measured", "source": None, "locator": None, "asserted_on": "2025-04-02"}
    tested.add("claim", "per-token", **fields, statement="{gain}", values={"gain": "run:second#ngram~base/c1/tpot.p50"})
    catalogue = tested.catalogue()
    claim = catalogue.get("per-token", Claim)
    assert claim
    [reading] = readings(catalogue, claim)
    assert (reading.metric, reading.low, reading.high) == ("output-speedup", Decimal("1.25"), Decimal("2.5"))
    assert reading.text.startswith("2.00x (from a tpot ratio of 0.5")


def test_no_common_metric_and_mixed_outcomes() -> None:
    assert overall([Bearing("supports", ""), Bearing("contradicts", "")]) == "inconclusive"
    assert overall([Bearing("supports", ""), Bearing("not comparable", "")]) == "supports"
    assert overall([]) == "not comparable"
