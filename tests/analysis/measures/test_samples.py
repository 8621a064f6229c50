"""The sample of one latency in one cell, by numbers that are worked out by hand."""

import numpy as np
import pytest

from ledger.analysis.measures.samples import Sample, sample
from ledger.model.trace import RequestTrace
from tests.analysis.recorded import failed, latencies_of, request


def sample_of(requests: list[RequestTrace], metric: str = "ttft") -> Sample | None:
    """Return the sample of a metric over all of the requests."""
    return sample(latencies_of(requests), metric, np.arange(len(requests)), seed=1)


def first_tokens(*seconds: float) -> list[RequestTrace]:
    """Requests of a prompt each, whose first token takes the seconds given."""
    return [request(f"p{number}", chunks_s=(second,)) for number, second in enumerate(seconds)]


def test_a_metric_that_no_request_has_gives_no_sample() -> None:
    assert sample_of([failed()]) is None
    assert sample_of(first_tokens(0.1), "tpot") is None


def test_point_statistics_are_those_of_the_sorted_values() -> None:
    found = sample_of(first_tokens(0.4, 0.1, 0.3, 0.2))
    assert found is not None
    assert (found.count, found.n) == (4, 4)
    assert (found.minimum, found.maximum, found.mean) == pytest.approx((0.1, 0.4, 0.25))
    assert found.quantiles["p50"] == pytest.approx(0.25)  # between the second and the third
    assert found.quantiles["p95"] == pytest.approx(0.385)  # 2.85 steps of 0.1 above 0.1


def test_n_counts_prompts_and_the_count_requests() -> None:
    found = sample_of([request("p0", chunks_s=(0.1 * turn,), index=turn) for turn in (1, 2, 3)])
    assert found is not None
    assert (found.count, found.n) == (3, 1)


def test_a_failed_request_is_in_no_statistic() -> None:
    found = sample_of([*first_tokens(0.1, 0.2), failed("p9")])
    assert found is not None
    assert (found.count, found.n, found.maximum) == (2, 2, 0.2)


def test_the_median_has_an_interval_from_six_prompts_on() -> None:
    five, six = sample_of(first_tokens(*(0.1 * n for n in range(1, 6)))), sample_of(first_tokens(*(0.1 * n for n in range(1, 7))))
    assert five is not None
    assert six is not None
    assert (five.intervals["p50"], five.resampled) == (None, None)
    assert six.intervals["p50"] == pytest.approx((0.1, 0.6))  # the ends: 2 x 0.5^6 is 3 %
    assert six.intervals["p95"] is None
    assert six.resampled is not None


def test_samples_of_the_same_prompts_and_seed_are_resampled_alike() -> None:
    values = [0.1 * n for n in range(1, 9)]
    once, doubled = sample_of(first_tokens(*values)), sample_of(first_tokens(*(2 * value for value in values)))
    assert once is not None
    assert doubled is not None
    assert once.resampled is not None
    assert doubled.resampled is not None
    assert doubled.resampled == pytest.approx(2 * once.resampled)
