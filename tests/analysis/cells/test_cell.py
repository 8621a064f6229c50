"""The measures of one cell: values to the microsecond, and the words where there is no value or no interval."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.analysis.cells.cell import cell, prompt_measures
from ledger.analysis.cells.cell_rows import CellRows
from ledger.model.records.run import Measure
from ledger.model.trace import RequestTrace
from tests.analysis.recorded import cell_of, failed, request, ttfts


def measures(requests: list[RequestTrace]) -> dict[str, Measure]:
    """Return the measures of the requests of arm `base`."""
    rows: CellRows = cell_of(requests)
    return cell(rows, rows.samples(1), seed=1).metrics


def test_three_values_have_a_median_and_no_p99() -> None:
    """As C13."""
    found = measures(ttfts([0.015, 0.025, 0.045]))
    assert [found[f"ttft.{stat}"].value for stat in ("min", "p50", "mean", "max")] == pytest.approx([0.015, 0.025, 0.085 / 3, 0.045])
    assert {found[f"ttft.{stat}"].n for stat in ("min", "p50", "p95", "p99", "mean", "max")} == {3}
    assert [found[f"ttft.{stat}"].reason for stat in ("p95", "p99")] == ["withheld (n = 3, needs 72)", "withheld (n = 3, needs 368)"]
    assert [found[f"ttft.{stat}"].value for stat in ("p95", "p99")] == [None, None]
    assert found["ttft.p50"].interval_reason == "withheld (n = 3, needs 6)"


def test_one_token_outputs_have_no_intervals() -> None:
    """As C03: no data, never 0.00; with one longer request, values that rest on one prompt."""
    none = measures(ttfts([0.31, 0.29, 0.30]))
    assert (none["ttft.mean"].value, none["e2e.mean"].value) == pytest.approx((0.3, 0.3))
    for metric in ("tpot", "itl", "chunk-gap", "longest-stall"):
        assert (none[f"{metric}.p50"].value, none[f"{metric}.mean"].reason) == (None, "no data (0 intervals)")
        assert none[f"{metric}.count"].value == 0
    one = measures([*ttfts([0.31, 0.30]), request("p9", chunks_s=(0.29, 0.32, 0.35))])
    assert [one["tpot.p50"].value, one["tpot.p50"].n] == pytest.approx([0.03, 1])
    assert [one["itl.mean"].value, one["itl.count"].value, one["itl.mean"].n] == pytest.approx([0.03, 2, 1])
    assert one["itl.p50"].interval_reason == "withheld (n = 1, needs 6)"


@pytest.mark.parametrize(
    ("n", "shown"), [(5, {}), (6, {"p50"}), (71, {"p50"}), (72, {"p50", "p95"}), (367, {"p50", "p95"}), (368, {"p50", "p95", "p99"})]
)
@pytest.mark.parametrize("metric", ["ttft", "itl"])
def test_intervals_appear_at_their_n(metric: str, n: int, shown: set[str]) -> None:
    requests = [request(f"p{i}", index=i, chunks_s=(0.1 + i / 1e4, 0.3 + i / 1e3)) for i in range(n)]
    found = measures(requests)
    assert {stat for stat in ("p50", "p95", "p99") if found[f"{metric}.{stat}"].low is not None} == set(shown)
    printed = {stat for stat in ("p50", "p95", "p99") if found[f"{metric}.{stat}"].value is not None}
    assert printed == set(shown) | {"p50"}


def test_repeats_do_not_raise_n() -> None:
    requests = [request(f"p{i % 24}", repeat=1 + i // 24, index=i % 24, chunks_s=(0.1 + i / 1e3,)) for i in range(96)]
    found = measures(requests)
    assert (found["ttft.p50"].n, found["ttft.count"].value) == (24, 96)
    assert found["ttft.p95"].reason == "withheld (n = 24, needs 72)"


def test_a_failed_request_is_counted_and_never_a_latency() -> None:
    rows = cell_of([*ttfts([0.2, 0.4]), failed("p9")])
    found = cell(rows, rows.samples(1), seed=1)
    assert found.requests == {"sent": 3, "completed": 2, "failed": 1, "aborted": 0, "empty": 0}
    assert (found.metrics["ttft.min"].value, found.metrics["ttft.count"].value) == (0.2, 2)


def test_chunk_gap_and_itl_part_under_speculation() -> None:
    found = measures([request(f"p{i}", index=i, chunks_s=(0.1, 0.112, 0.124), chunk_tokens=(1, 4, 4)) for i in range(6)])
    assert found["chunk-gap.p50"].value == pytest.approx(0.012)
    assert found["itl.p50"].value == pytest.approx(0.003)
    assert (found["chunk-gap.count"].value, found["itl.count"].value) == (12, 48)


def test_the_prefix_cache_says_not_recorded_where_the_engine_is_silent() -> None:
    silent = prompt_measures(cell_of([request(prompt_tokens=100)]), 1)
    cold = prompt_measures(cell_of([request(prompt_tokens=100, cached_tokens=0)]), 1)
    warm = prompt_measures(cell_of([request(prompt_tokens=100, cached_tokens=80)]), 1)
    assert (silent["prefix-cache.hit-share"].value, silent["prefix-cache.hit-share"].reason) == (None, "not recorded")
    assert (cold["prefix-cache.hit-share"].value, warm["prefix-cache.hit-share"].value) == (0.0, 0.8)
    assert silent["prompt-tokens.total"].value == 100


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(12)))
def test_the_order_of_requests_changes_nothing(order: list[int]) -> None:
    requests = [
        request(f"p{i % 8}", repeat=1 + i // 8, index=i, chunks_s=(0.1 + i, 0.3 + 1.5 * i, 0.9 + 2 * i), chunk_tokens=(1, 2, 1 + i % 3))
        for i in range(12)
    ]
    shuffled, plain = measures([requests[i] for i in order]), measures(requests)
    for key, measure in plain.items():
        other = shuffled[key]
        assert (other.value, other.low, other.high) == pytest.approx((measure.value, measure.low, measure.high)), key
        assert (other.n, other.reason, other.interval_reason) == (measure.n, measure.reason, measure.interval_reason)
