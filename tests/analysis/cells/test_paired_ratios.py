"""An arm against a base: ratios over the prompts that both answered, resampled together."""

from decimal import Decimal

import pytest

from ledger.analysis.cells.cell_rows import CellRows
from ledger.analysis.cells.paired_ratios import comparison
from ledger.model.records.protocol import Load
from ledger.model.records.run import Comparison
from ledger.model.trace import RequestTrace
from tests.analysis.recorded import CLOSED, failed, latencies_of, request


def compared(requests: list[RequestTrace], load: Load = CLOSED, **limits_s: float) -> Comparison:
    """Return arm `ngram` against arm `base`."""
    latencies = latencies_of(requests)
    arm, base = (CellRows.of(latencies, name, load, limits_s=limits_s) for name in ("ngram", "base"))
    return comparison(arm, base, samples=(arm.samples(1), base.samples(1)), is_greedy=True, seed=1)


def streams(arm: str, prompts: int, factor: float, repeats: int = 2) -> list[RequestTrace]:
    """Return two-token requests whose pace depends on the prompt alone, times a factor."""
    return [
        request(f"p{i}", arm=arm, repeat=r, index=i, chunks_s=(factor * (0.1 + i / 500), factor * (0.3 + i / 100)))
        for r in range(1, repeats + 1)
        for i in range(prompts)
    ]


def test_pairing_takes_the_prompts_own_differences_out() -> None:
    """Prompts differ tenfold, the arm is 0.8 of the base on each: the ratio is exact, and so is its interval."""
    found = compared(streams("base", 80, 1.0) + streams("ngram", 80, 0.8))
    for key in ("ttft.p50", "ttft.p95", "tpot.p50", "tpot.p95", "itl.p50", "itl.p95", "e2e.p50"):
        measure = found.metrics[key]
        assert (measure.value, measure.low, measure.high) == pytest.approx((0.8, 0.8, 0.8)), key
        assert (measure.unit, measure.n) == ("ratio", 80)
    assert found.metrics["tpot.p99"].reason == "withheld (n = 80, needs 368)"
    assert found.metrics["throughput.mean"].value == pytest.approx(1 / 0.8)
    assert found.metrics["throughput.mean"].low == pytest.approx(1 / 0.8)


def test_only_prompts_that_both_answered_are_compared() -> None:
    arm = [one for one in streams("ngram", 10, 0.8) if one.prompt_id != "p9"] + [failed("p9", arm="ngram", index=9)]
    found = compared(streams("base", 10, 1.0) + arm)
    assert [found.metrics["tpot.p50"].value, found.metrics["tpot.p50"].n] == pytest.approx([0.8, 9])


def test_few_prompts_have_a_ratio_without_an_interval() -> None:
    found = compared(streams("base", 5, 1.0) + streams("ngram", 5, 0.8))
    assert found.metrics["tpot.p50"].value == pytest.approx(0.8)
    assert found.metrics["tpot.p50"].interval_reason == "withheld (n = 5, needs 6)"
    assert found.metrics["tpot.p95"].reason == "withheld (n = 5, needs 72)"


def test_no_common_prompt_and_a_base_of_zero_are_undefined() -> None:
    apart = compared([request("a"), request("b", arm="ngram")])
    assert apart.metrics["ttft.p50"].reason == "no data (0 common prompts)"
    assert apart.metrics["tpot.p50"].reason == "no data (0 common prompts)"
    lag = compared([request("a"), request("a", arm="ngram")])
    assert lag.metrics["client-lag.p50"].reason == "undefined (the base is 0)"


def test_an_open_loads_throughput_has_no_interval() -> None:
    load = Load(id="c8", kind="open", rate_per_s=Decimal(2), arrivals="poisson", requests=8)
    found = compared(streams("base", 8, 1.0) + streams("ngram", 8, 0.8), load)
    assert found.metrics["throughput.mean"].interval_reason == "open loop: the rate follows the arrivals"


def test_goodput_is_compared_where_the_base_has_any() -> None:
    """Of 80 prompts 40 meet the limit on the base and all on the arm, which also takes 0.4 of the time."""
    requests = streams("base", 80, 1.0) + streams("ngram", 80, 0.4)
    found = compared(requests, e2e=0.3 + 39 / 100 + 0.001).metrics["goodput.mean"]
    assert found.value == pytest.approx(2 / 0.4)
    assert (found.low or 0) > 4
    none = compared(requests, ttft=0.09).metrics["goodput.mean"]
    assert (none.value, none.reason) == (None, "undefined (the base is 0)")
    rare = compared(requests, e2e=0.3005).metrics["goodput.mean"]
    assert rare.interval_reason == "undefined (a resample is 0)"
    assert "goodput.mean" not in compared(requests).metrics
