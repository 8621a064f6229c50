"""The columns of latencies: the definitions on requests written out, samples pooled in blocks, and time that runs backwards."""

import numpy as np
import pytest

from ledger.analysis.measures.latencies import pool_samples, sample_counts, sums_by_row
from tests.analysis.recorded import failed, latencies_of, request

REQUESTS = [
    request("p0", scheduled_s=1.0, sent_s=1.5, chunks_s=(2.0, 2.4, 3.4), chunk_tokens=(2, 1, 4)),
    request("p1", index=1, chunks_s=(0.3,)),
    failed("p2", index=2),
    request("p3", index=3, outcome="aborted", chunks_s=(0.1, 0.6), chunk_tokens=(1, 2)),
]
"""One that streams three chunks, one of a single chunk, one without output, one cut off after its second chunk."""


def test_each_column_on_requests_written_out() -> None:
    latencies = latencies_of(REQUESTS)
    nothing = np.nan
    expected = {
        "ttft_s": [1.0, 0.3, nothing, 0.1],
        "service_ttft_s": [0.5, 0.3, nothing, 0.1],
        "client_lag_s": [0.5, 0.0, 0.0, 0.0],
        "e2e_s": [2.4, 0.3, nothing, nothing],
        "tpot_s": [1.4 / 5, nothing, nothing, 0.25],
        "longest_stall_s": [1.0, nothing, nothing, 0.5],
    }
    for name, values in expected.items():
        np.testing.assert_allclose(getattr(latencies, name), values, atol=1e-12, err_msg=name)
    assert latencies.output_tokens.tolist() == [7, 1, 0, 3]


def test_a_gap_is_shared_over_its_tokens_and_the_first_chunk_gives_none() -> None:
    latencies, rows = latencies_of(REQUESTS), np.arange(4)
    assert pool_samples(latencies, "itl", rows) == pytest.approx([0.25] * 6 + [0.4])  # 1.0 s over 4 tokens, 0.5 over 2, 0.4 over 1
    assert pool_samples(latencies, "chunk-gap", rows) == pytest.approx([0.4, 0.5, 1.0])
    assert sample_counts(latencies, "itl", rows).tolist() == [5, 0, 0, 2]
    assert sample_counts(latencies, "chunk-gap", rows).tolist() == [2, 0, 0, 1]


def test_requests_without_a_metric_give_no_sample() -> None:
    latencies = latencies_of(REQUESTS)
    assert pool_samples(latencies, "e2e", np.arange(4)) == pytest.approx([0.3, 2.4])
    assert sample_counts(latencies, "tpot", np.asarray([2, 3])).tolist() == [0, 1]
    assert len(pool_samples(latencies, "ttft", np.asarray([2]))) == 0


def test_only_the_rows_asked_for_are_pooled() -> None:
    assert pool_samples(latencies_of(REQUESTS), "ttft", np.asarray([3, 1])) == pytest.approx([0.1, 0.3])


def test_a_chunk_before_the_one_it_follows_is_refused() -> None:
    with pytest.raises(ValueError, match=r"got a chunk 0\.100000 s before the one it follows"):
        pool_samples(latencies_of([request(chunks_s=(0.2, 0.1))]), "itl", np.asarray([0]))


def test_sums_by_row_count_rows_without_entries() -> None:
    assert sums_by_row(np.asarray([1, 2, 4]), np.asarray([2, 0, 1])).tolist() == [3, 0, 4]
