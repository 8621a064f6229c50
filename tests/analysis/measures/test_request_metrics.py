"""Latencies of hand-made traces, exact; the columnar form agrees on any trace."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.analysis.measures.latencies import PER_REQUEST, pool_samples
from ledger.analysis.measures.request_metrics import (
    chunk_gaps_s,
    client_lag_s,
    e2e_s,
    itl_s,
    longest_stall_s,
    service_ttft_s,
    tpot_s,
    ttft_s,
)
from ledger.model.trace import RequestTrace
from tests.analysis.recorded import failed, latencies_of, request

MICROSECOND = 1e-6
SCALAR: dict[str, Callable[[RequestTrace], float | None]] = {
    "ttft": ttft_s,
    "service-ttft": service_ttft_s,
    "client-lag": client_lag_s,
    "e2e": e2e_s,
    "tpot": tpot_s,
    "longest-stall": longest_stall_s,
}


def near(value: object) -> object:
    """The value to a hundredth of a microsecond."""
    return pytest.approx(value, abs=MICROSECOND / 100)


def test_several_tokens_in_a_chunk() -> None:
    trace = request(scheduled_s=10.0, sent_s=10.003, chunks_s=(10.103, 10.123, 10.135, 10.165), chunk_tokens=(2, 5, 1, 3))
    assert ttft_s(trace) == near(0.103)
    assert service_ttft_s(trace) == near(0.100)
    assert client_lag_s(trace) == near(0.003)
    assert e2e_s(trace) == near(0.165)
    assert tpot_s(trace) == near(0.062 / 9)  # 11 tokens less the first chunk's 2
    assert chunk_gaps_s(trace) == near((0.020, 0.012, 0.030))
    assert itl_s(trace) == near((0.004,) * 5 + (0.012,) + (0.010,) * 3)
    assert longest_stall_s(trace) == near(0.030)


def test_speculation_shows_in_tpot_and_itl_not_in_chunk_gaps() -> None:
    """As C15: the chunk gap rises while the run gets faster."""
    base = request(chunks_s=tuple(0.2 + 0.008 * i for i in range(31)))
    spec = request(chunks_s=tuple(0.2 + 0.015 * i for i in range(11)), chunk_tokens=(1,) + (3,) * 10)
    assert base.output_tokens == spec.output_tokens == 31
    assert (tpot_s(base), tpot_s(spec)) == near((0.008, 0.005))
    assert itl_s(spec) == near((0.005,) * 30)
    assert chunk_gaps_s(spec) == near((0.015,) * 10)


def test_one_chunk_has_no_interval() -> None:
    trace = request(chunks_s=(0.2,), chunk_tokens=(7,))
    assert (tpot_s(trace), longest_stall_s(trace)) == (None, None)
    assert (chunk_gaps_s(trace), itl_s(trace)) == ((), ())
    assert (ttft_s(trace), e2e_s(trace)) == (0.2, 0.2)


def test_a_failed_request_has_no_latency_and_none_of_zero() -> None:
    trace = failed(sent_s=0.5)
    assert [metric(trace) for metric in (ttft_s, service_ttft_s, e2e_s, tpot_s, longest_stall_s)] == [None] * 5
    assert client_lag_s(trace) == 0.5


def test_an_aborted_request_has_a_first_token_but_no_end() -> None:
    trace = request(chunks_s=(0.1, 0.2), outcome="aborted")
    assert (ttft_s(trace), e2e_s(trace), tpot_s(trace)) == near((0.1, None, 0.1))


gaps = st.floats(0, 10, allow_nan=False)
chunks = st.lists(st.tuples(gaps, st.integers(1, 9)), max_size=8)


@settings(deadline=None)
@given(st.lists(st.tuples(gaps, gaps, chunks, st.sampled_from(["completed", "aborted"])), min_size=1, max_size=6))
def test_columns_agree_with_the_definitions(rows: list[tuple[float, float, list[tuple[float, int]], str]]) -> None:
    requests = []
    for scheduled, lag, parts, outcome in rows:
        times = tuple(np.cumsum([scheduled + lag, *(gap for gap, _ in parts)])[1:].tolist())
        fields: dict[str, Any] = {
            "scheduled_s": scheduled,
            "sent_s": scheduled + lag,
            "chunks_s": times,
            "chunk_tokens": tuple(k for _, k in parts),
        }
        requests.append(request(outcome=outcome if times else "failed", **fields))
    latencies = latencies_of(requests)
    for name, scalar in SCALAR.items():
        expected = [np.nan if (value := scalar(one)) is None else value for one in requests]
        np.testing.assert_allclose(PER_REQUEST[name](latencies), expected, rtol=0, atol=1e-12)
    every = np.arange(len(requests))
    assert pool_samples(latencies, "itl", every).tolist() == sorted(gap for one in requests for gap in itl_s(one))
    assert pool_samples(latencies, "chunk-gap", every).tolist() == sorted(gap for one in requests for gap in chunk_gaps_s(one))
