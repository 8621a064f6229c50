"""Rates of a cell: first send to last completion, the steady window, goodput, and nothing lost from the count."""

from dataclasses import replace

import pytest

from ledger.analysis.cells.cell import cell, rate_measures
from ledger.analysis.measures.throughput import duration_s, request_counts, steady_window, within_limits
from ledger.model.records.protocol import Load
from tests.analysis.recorded import CLOSED, cell_of, failed, latencies_of, request

TWO = Load(id="c8", concurrency=2, requests=4)


def test_throughput_counts_delivered_tokens_over_first_send_to_last_completion() -> None:
    requests = [
        request("p0", scheduled_s=0.0, sent_s=0.5, chunks_s=(1.0, 2.5), chunk_tokens=(1, 9)),
        request("p1", scheduled_s=1.0, chunks_s=(1.5,), outcome="aborted"),
        failed("p2", scheduled_s=4.0),
    ]
    found = rate_measures(cell_of(requests), seed=1)
    assert found["throughput.mean"].value == pytest.approx(11 / 2.0)
    assert found["requests-per-s.mean"].value == pytest.approx(1 / 2.0)


def test_repeats_are_pooled_by_their_own_durations() -> None:
    """The clock of the run goes on between repeats; only the time inside each counts."""
    requests = [
        request("p0", repeat=1, chunks_s=(1.0, 2.0), chunk_tokens=(1, 9)),
        request("p0", repeat=2, scheduled_s=100.0, chunks_s=(101.0, 103.0), chunk_tokens=(1, 4)),
    ]
    assert rate_measures(cell_of(requests), seed=1)["throughput.mean"].value == pytest.approx(15 / (2.0 + 3.0))


def test_every_request_stays_in_the_count() -> None:
    requests = [request("p0"), failed("p1"), failed("p2", outcome="empty"), request("p3", outcome="aborted")]
    latencies = latencies_of(requests)
    assert request_counts(latencies, latencies.traces.rows()) == {"sent": 4, "completed": 1, "failed": 1, "aborted": 1, "empty": 1}


def test_nothing_completed_is_no_data_not_zero() -> None:
    found = cell(cell_of([failed()]), {}, seed=1).metrics["throughput.mean"]
    assert (found.value, found.reason) == (None, "no data (0 completed)")
    latencies = latencies_of([failed()])
    assert duration_s(latencies, latencies.traces.rows()) is None


def test_the_steady_window_leaves_the_ramp_and_the_tail_out() -> None:
    """Two slots: one in flight from 0, two from 1 to 5, one until 9; chunks at 0.5, 3, 5 and 9."""
    requests = [
        request("p0", sent_s=0.0, chunks_s=(0.5, 5.0), chunk_tokens=(1, 4)),
        request("p1", index=1, scheduled_s=1.0, chunks_s=(3.0, 9.0), chunk_tokens=(2, 8)),
    ]
    latencies = latencies_of(requests)
    window = steady_window(latencies, latencies.traces.rows(), concurrency=2)
    assert window is not None
    assert (window.start_s, window.end_s, window.output_tokens) == (1.0, 5.0, 6)
    assert window.tokens_per_s == pytest.approx(1.5)
    assert window.warning == "the steady window is short: 4.000 s of 9.000 s"
    assert rate_measures(cell_of(requests, TWO), seed=1)["throughput.steady"].value == pytest.approx(1.5)


def test_a_window_with_long_dips_says_so() -> None:
    requests = [request(f"p{i}", index=i, scheduled_s=start, chunks_s=(end,)) for i, (start, end) in enumerate([(0, 4), (0, 10), (6, 10)])]
    latencies = latencies_of(requests)
    window = steady_window(latencies, latencies.traces.rows(), concurrency=2)
    assert window is not None
    assert window.below_share == pytest.approx(0.2)
    assert window.warning == "the concurrency was below 95 % of its target for 20% of the steady window"


def test_a_concurrency_never_reached_has_no_window() -> None:
    found = rate_measures(cell_of([request()], CLOSED), seed=1)["throughput.steady"]
    assert (found.value, found.reason) == (None, "no data (the concurrency was never reached)")


def test_goodput_needs_every_limit_and_every_metric() -> None:
    requests = [
        request("p0", chunks_s=(0.1, 0.2)),
        request("p1", chunks_s=(0.3, 0.4)),
        request("p2", chunks_s=(0.1, 0.9)),
        request("p3", chunks_s=(0.1,)),  # has no TPOT, so does not meet its limit
        failed("p4"),
    ]
    limits = {"ttft": 0.1, "tpot": 0.5}
    latencies = latencies_of(requests)
    assert within_limits(latencies, latencies.traces.rows(), limits).tolist() == [True, False, False, False, False]
    found = cell(replace(cell_of(requests), limits_s=limits), {}, seed=1).metrics["goodput.mean"]
    assert found.value == pytest.approx(1 / 0.9)


def test_goodput_is_a_rate_with_an_interval_like_the_others() -> None:
    """Half of the prompts meet the limit, whichever repeat: half the request rate, and an interval around it."""
    requests = [
        request(f"p{i}", index=i, scheduled_s=0.3 * i, chunks_s=(0.3 * i + (0.1 if i % 2 else 0.2),), repeat=repeat)
        for repeat in (1, 2)
        for i in range(20)
    ]
    found = rate_measures(replace(cell_of(requests, TWO), limits_s={"ttft": 0.15}), seed=1)
    goodput, rate = found["goodput.mean"], found["requests-per-s.mean"]
    assert goodput.value == pytest.approx((rate.value or 0) / 2)
    assert goodput.unit == "req/s"
    assert (goodput.low or 0) < (goodput.value or 0) < (goodput.high or 0) <= (rate.high or 0)


def test_no_request_within_the_limits_is_zero_and_no_limits_are_no_goodput() -> None:
    requests = [request(f"p{i}", index=i, scheduled_s=float(i)) for i in range(8)]
    none = rate_measures(replace(cell_of(requests, TWO), limits_s={"e2e": 0.01}), seed=1)["goodput.mean"]
    assert (none.value, none.low, none.interval_reason) == (0.0, None, "undefined (0 requests within the limits)")
    assert "goodput.mean" not in rate_measures(cell_of(requests, TWO), seed=1)
