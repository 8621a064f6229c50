"""The hard cases that come with this project's brief, mapped onto its schema (`../shared`, where that folder is there)."""

import csv
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from ledger.analysis.claims.resolve import statement_text
from ledger.analysis.rules.sources import page_key

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

INPUTS = Path(__file__).resolve().parents[3] / "shared" / "cases" / "inputs"
pytestmark = pytest.mark.skipif(not INPUTS.is_dir(), reason="the shared cases are not beside this repository")


def case(name: str) -> Any:
    """Return the content of a YAML input, dates as text."""
    return yaml.load((INPUTS / name).read_text("utf-8"), Loader=yaml.BaseLoader)


@pytest.fixture(autouse=True)
def after_the_cases(ledger_folder: "LedgerFolder") -> None:
    """The cases tell of days up to the autumn of 2026; the ledger is read after them."""
    ledger_folder.now = datetime(2027, 1, 1, tzinfo=UTC)


def slug(name: str) -> str:
    """Return an id of the cases as this ledger writes ids."""
    return name.lower()


def test_c19_an_upper_bound_stays_one(ledger_folder: "LedgerFolder") -> None:
    given = case("C19.claim.yaml")
    ledger_folder.add_page("s", url=given["source"]["url"], captures=[{"retrieved_at": given["source"]["captured_on"]}])
    value = given["text"].removeprefix("Up to ").split("x")[0]
    gain = {"name": "gain", "metric": "speedup", "bound": "up-to", "value": value, "unit": "x", "conditions": {"load": given["conditions"]}}
    fields = {"label": given["label"], "source": "s", "asserted_on": given["stated_on"]}
    ledger_folder.add("claim", slug(given["id"]), statement="{gain} throughput per GPU", quantities=[gain], **fields)
    ledger = ledger_folder.open()
    assert ledger.check() == []
    [claim] = ledger.claims(label="vendor-claimed")
    assert statement_text(ledger.catalogue, claim)[0] == "up to 2.8x throughput per GPU"
    assert "concurrency 256" in claim.quantities[0].conditions["load"]


def test_c19_the_bound_may_not_be_typed_into_the_statement(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add_page()
    ledger_folder.add("claim", "k-1901", statement=case("C19.claim.yaml")["text"])
    assert ledger_folder.codes() == ["LEDG032"]


def test_c20_neither_a_suppliers_run_nor_no_run_is_a_measurement(ledger_folder: "LedgerFolder") -> None:
    for name in ("K-2001", "K-2002"):
        given = case(f"C20/{name}.yaml")
        fields: dict[str, Any] = {"label": given["label"], "asserted_on": given["stated_on"], "statement": "B serves {rate} per GPU."}
        if source := given.get("source"):
            ledger_folder.add_page("s", url=source["url"], captures=[{"retrieved_at": source["captured_on"]}])
        quantities = [{"name": "rate", "metric": "output-rate", "value": "4870", "unit": "tok/s/GPU"}]
        ledger_folder.add("claim", slug(name), quantities=quantities, source="s" if source else None, locator=None, **fields)
    told = [str(problem) for problem in ledger_folder.check()]
    maker = [line for line in told if "k-2001: source:" in line]
    assert len(maker) == 1
    assert "a measured statement has a source outside. Label it vendor-claimed" in maker[0]
    assert any("k-2002: a measured statement without values, so no run stands behind it." in line for line in told)


def test_c20_a_run_of_the_maker_is_refused_as_measured(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add_plan()
    ledger_folder.add("run", "k-2001-run", executor={"relation": "supplier", "organisation": case("C20/K-2001.yaml")["operator"]})
    values = {"rate": "run:k-2001-run#base/c1/tpot.p50"}
    ledger_folder.add("claim", "k-2001", label="measured", source=None, locator=None, values=values)
    [problem] = ledger_folder.check()
    assert problem.message.startswith("k-2001: values.rate: k-2001-run was executed by ")
    assert problem.message.endswith("the operator is the maker of demo/ngram.")
    assert problem.remedy == "Label the statement vendor-claimed."


def test_c22_one_url_is_one_source_and_tracking_makes_no_other_page(ledger_folder: "LedgerFolder") -> None:
    for given in case("C22/sources.yaml"):
        capture = {"retrieved_at": given["captured_at"][:10], "sha256": given["sha256"]}
        ledger_folder.add("source", slug(given["id"]), url=given["url"], captures=[capture])
    ledger_folder.add("claim", "k-2201", source="s-1", asserted_on="2025-07-08")
    ledger = ledger_folder.open()
    told = {problem.record: problem.message for problem in ledger.check()}
    assert told.keys() == {"s-2", "s-4", "k-2201"}
    assert told["k-2201"].endswith("rests on s-1, whose content of 2025-07-08 differed on 2026-01-09.")
    assert "the same page as s-1" in told["s-2"]
    assert "the same page as s-3" in told["s-4"]
    assert [source.url for source in ledger.sources()] == [given["url"] for given in case("C22/sources.yaml")]
    assert [claim.source for claim in ledger.claims()] == ["s-1"]


def test_c22_the_key_of_a_page_keeps_what_it_does_not_drop() -> None:
    keys = [page_key(given["url"]) for given in case("C22/sources.yaml")]
    assert keys[0] == keys[1]
    assert keys[2] == keys[3]
    assert len(set(keys)) == 3
    assert keys[3] == "https://vendor.example/price?sku=h200&plan=1*2"


def test_c24_a_conflict_and_a_collision_are_told_and_answer_nothing(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.write("records/k-2401.toml", (INPUTS / "C24/K-2401.yaml").read_bytes())
    for name in ("K-2402-alice", "K-2402-bob", "K-2403"):
        given = case(f"C24/{name}.yaml")
        fields = {"label": given["label"], "subject": given["subject"], "statement": given["text"], "asserted_on": given["stated_on"]}
        ledger_folder.add("claim", slug(given["id"]), file=f"records/{slug(name)}.toml", source=None, locator=None, **fields)
    ledger = ledger_folder.open()
    told = {problem.path: problem.message for problem in ledger.check()}
    assert told["records/k-2401.toml"] == "unresolved merge conflict, lines 3 to 9."
    assert "the id is used by records/k-2402-alice.toml and records/k-2402-bob.toml" in told["records/k-2402-bob.toml"]
    assert [claim.id for claim in ledger.claims()] == ["k-2403"]


def test_c28_only_one_of_the_price_dates_is_a_day_and_every_other_is_told(ledger_folder: "LedgerFolder") -> None:
    rows = list(csv.DictReader((INPUTS / "C28.csv").read_text("utf-8").splitlines()))
    ledger_folder.add_page()
    for row in rows:
        ledger_folder.add("cost", slug(row["id"]), observed_on=row["effective_from"], effective_from="unknown")
    ledger = ledger_folder.open()
    told = {problem.path: problem for problem in ledger.check()}
    assert [cost.id for cost in ledger.costs()] == ["p-9"]
    assert len(told) == len(rows) - 1
    for row in rows:
        problem = told.get(f"records/costs/{slug(row['id'])}.toml")
        assert (problem is None) == (row["id"] == "P-9")
        if problem:
            assert problem.line == 21
            assert "observed_on: got" in problem.message
            assert row["effective_from"][:4] in problem.message


def test_c28_a_claim_may_be_dated_to_the_month(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add_page()
    rows = {row["id"]: row["effective_from"] for row in csv.DictReader((INPUTS / "C28.csv").read_text("utf-8").splitlines())}
    for name, text in rows.items():
        ledger_folder.add("claim", slug(name), asserted_on=text)
    kept = {claim.id: str(claim.asserted_on) for claim in ledger_folder.open().claims()}
    assert kept == {"p-6": "2026-09", "p-9": "2026-09-01"}
