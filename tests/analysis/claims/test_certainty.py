"""Certainty: one level down for each cause, named, never averaged."""

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from ledger.analysis.claims.certainty import Certainty, certainty
from ledger.model.records.claim import Claim

if TYPE_CHECKING:
    from tests.claim_fixtures import Ask
    from tests.conftest import LedgerFolder

SOUND = {"model": "demo", "hardware": "one L4"}


def judged(folder: "LedgerFolder", record_id: str = "it", as_of: date = date(2025, 9, 1)) -> Certainty:
    catalogue = folder.catalogue()
    claim = catalogue.get(record_id, Claim)
    assert claim
    return certainty(catalogue, claim, as_of)


def gain(**fields: Any) -> dict[str, Any]:
    number = {"name": "gain", "metric": "output-speedup", "value": "2", "unit": "x", "samples": 200, "conditions": SOUND, **fields}
    return {key: value for key, value in number.items() if value is not None}


@pytest.mark.parametrize(
    ("claim", "relation", "level", "domains"),
    [
        ({"quantities": [gain()]}, "third-party", "high", []),
        ({}, "third-party", "high", []),
        ({"quantities": [gain()]}, "supplier", "moderate", ["risk of bias"]),
        ({"quantities": [gain(samples=None)]}, "third-party", "moderate", ["imprecision"]),
        ({"quantities": [gain(samples=4)]}, "third-party", "moderate", ["imprecision"]),
        ({"quantities": [gain(conditions={})]}, "third-party", "moderate", ["indirectness"]),
        ({"quantities": [gain(bound="up-to")]}, "third-party", "moderate", ["selection"]),
        (
            {"quantities": [gain(bound="up-to", conditions={}, samples=None)]},
            "user-report",
            "very low",
            ["risk of bias", "indirectness", "imprecision", "selection"],
        ),
    ],
)
def test_each_cause_costs_a_level(
    claim: dict[str, Any], relation: str, level: str, domains: list[str], ledger_folder: "LedgerFolder"
) -> None:
    ledger_folder.add_page(relation=relation)
    ledger_folder.add("claim", "it", **claim)
    found = judged(ledger_folder)
    assert (found.level, [one.domain for one in found.downgrades]) == (level, domains)
    assert all(one.cause for one in found.downgrades)


def test_those_who_say_otherwise_count_while_they_stand(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add_page(relation="third-party")
    ledger_folder.add("claim", "it")
    ledger_folder.add("claim", "other", conflicts_with=["it"])
    assert judged(ledger_folder).downgrades[0].cause == "says otherwise than other"
    ledger_folder.add("retraction", "gone", target="other")
    assert judged(ledger_folder).level == "high"


def test_a_planned_run_with_a_narrow_interval_is_high(tested: "LedgerFolder") -> None:
    assert judged(tested, "we-measured") == Certainty("high", ())


def test_unplanned_wide_and_no_difference(tested: "LedgerFolder") -> None:
    ratio = {"value": 1.1, "low": 0.9, "high": 1.4, "unit": "ratio", "n": 12}
    comparison = {"arm": "ngram", "base": "base", "load": "c1", "metrics": {"throughput.mean": ratio}}
    tested.add("run", "ours", comparisons=[comparison], planned=False)
    found = judged(tested, "we-measured")
    assert (found.level, [one.domain for one in found.downgrades]) == ("low", ["risk of bias", "imprecision"])
    assert "includes no difference" in found.downgrades[1].cause
    assert "rests on 12 prompts" in found.downgrades[1].cause


def test_what_nobody_observed_or_was_taken_back_is_very_low(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add_page(relation="third-party")
    ledger_folder.add("claim", "idea", label="proposed", source=None, locator=None)
    ledger_folder.add("claim", "it")
    ledger_folder.add("retraction", "gone", target="it")
    assert judged(ledger_folder, "idea").level == "very low"
    assert judged(ledger_folder).level == "very low"


def test_show_prints_level_and_causes(tested: "LedgerFolder", ask: "Ask") -> None:
    _code, out, _err = ask("show", "vendor-up-to")
    assert "certainty       very low" in out or "certainty       low" in out
    assert "risk of bias: the supplier speaks of what it sells or maintains" in out
    assert "selection: 'up to' names the best of several results (gain)" in out
    assert "we-measured: inconclusive" in out
