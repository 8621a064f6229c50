"""Claims of one metric side by side, and why they may not be comparable."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ledger.analysis.claims.conflicts import conflicts, obstacles
from ledger.model.records.claim import Claim
from tests.reading_fixtures import number

if TYPE_CHECKING:
    from tests.claim_fixtures import Ask
    from tests.conftest import LedgerFolder

Rows = Callable[..., list[dict[str, Any]]]


def speedup(value: str, **fields: Any) -> dict[str, Any]:
    return {"name": "gain", "metric": "output-speedup", "value": value, "unit": "x", **fields}


def test_one_metric_is_set_side_by_side(ledger_folder: "LedgerFolder", ask: "Ask", rows: Rows) -> None:
    ledger_folder.add_page()
    known = {"model": "demo 7B", "hardware": "one L4"}
    ledger_folder.add("claim", "best", quantities=[speedup("2.4", bound="up-to", conditions=known)], version="vllm 0.9")
    ledger_folder.add("claim", "plain", quantities=[speedup("1.3", conditions={**known, "temperature": "0.7"})], version="vllm 0.20")
    ledger_folder.add("claim", "alone", quantities=[{"name": "rate", "metric": "request-rate", "value": "4", "unit": "req/s"}])
    ledger_folder.add("claim", "elsewhere", subject="other/ngram", quantities=[speedup("9")])
    found = {row["claim"]: row for row in rows("conflicts", "demo")}
    assert set(found) == {"best", "plain"}
    assert (found["best"]["value"], found["plain"]["value"]) == ("up to 2.4x", "1.3x")
    assert found["plain"]["not_comparable"] == [
        "version: 2 different values",
        "temperature: unknown for 1 of 2",
        "bound: 'up to' names the best of several results, the others are values; a value below it is no contradiction",
    ]
    _code, out, _err = ask("conflicts", "demo")
    assert "up to 2.4x (best#gain)" in out
    assert "vendor-claimed · supplier · asserted 2025-01-10" in out
    assert max(len(line) for line in out.splitlines()) <= 80


def test_a_named_conflict_counts_in_both_directions(ledger_folder: "LedgerFolder", rows: Rows) -> None:
    ledger_folder.add_page()
    ledger_folder.add("claim", "first", subject="one")
    ledger_folder.add("claim", "second", subject="two", conflicts_with=["first"])
    for subject in ("one", "two"):
        [row] = rows("conflicts", subject)
        assert (row["because"], row["claim"], row["other"], row["named_by"]) == ("named", "first", "second", ["second"])


def test_a_measurement_within_an_upper_bound_is_no_contradiction(tested: "LedgerFolder", ask: "Ask", rows: Rows) -> None:
    """C19, through the command: 1.6 measured against `up to 3.1`."""
    [row] = [row for row in rows("conflicts", "demo") if row["because"] == "tested"]
    assert (row["claim"], row["other"], row["relation"]) == ("we-measured", "vendor-up-to", "inconclusive")
    _code, out, _err = ask("conflicts", "demo")
    flat = " ".join(out.split())
    assert "neither confirms nor contradicts it (up to 3.1x)" in flat
    assert "contradicts:" not in flat


def test_what_no_longer_holds_is_left_out_unless_asked(ledger_folder: "LedgerFolder", rows: Rows) -> None:
    ledger_folder.add_page()
    ledger_folder.add("claim", "was", quantities=[speedup("2")], ended={"on": "2025-03-01", "because": "Removed."})
    ledger_folder.add("claim", "is", quantities=[speedup("3")])
    assert rows("conflicts", "demo") == []
    assert len(rows("conflicts", "demo", "--as-of", "2025-02-01")) == 2
    assert len(rows("conflicts", "demo", "--all")) == 2


def test_what_differs_what_is_unknown_and_other_statistics_stand_in_the_way() -> None:
    numbers = [
        number("2", conditions={"model": "a", "hardware": "L4"}, statistic="mean", version=None),
        number("3", conditions={"model": "b", "hardware": "one L4"}, statistic="median", version=None),
        number("4", conditions={"model": "A"}, version=None),
    ]
    assert list(obstacles(numbers)) == [
        "model: 2 different values",
        "hardware: 2 different values, unknown for 1 of 3",
        "statistic: mean, median",
    ]


def test_numbers_whose_conditions_agree_have_no_obstacle() -> None:
    assert list(obstacles([number("2"), number("3")])) == []


def test_one_claim_of_a_pair_or_of_a_test_is_enough_to_show_both(tested: "LedgerFolder") -> None:
    tested.add("claim", "doubter", conflicts_with=["vendor-up-to"])
    catalogue = tested.catalogue()
    vendor = catalogue.get("vendor-up-to", Claim)
    assert vendor is not None
    found = conflicts(catalogue, [vendor])
    assert found.groups == ()  # one claim alone is no group
    assert [(pair.claim.id, pair.other.id, pair.named_by) for pair in found.named_pairs] == [("doubter", "vendor-up-to", ("doubter",))]
    assert [(test.measured.id, test.claim.id) for test in found.under_test] == [("we-measured", "vendor-up-to")]
    assert conflicts(catalogue, []).under_test == ()
