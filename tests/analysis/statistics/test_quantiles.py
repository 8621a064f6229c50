"""Quantiles against numpy, interval ranks against the binomial distribution, and what few prompts cannot show."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.analysis.statistics.quantiles import (
    effective_sample_size,
    interval_ranks,
    needed_n,
    quantile,
    quantile_interval,
    rank_n,
    withheld,
)


@given(st.lists(st.floats(0, 1e6, allow_nan=False), min_size=1, max_size=200), st.floats(0, 1))
def test_a_quantile_is_numpys_linear_one(values: list[float], probability: float) -> None:
    ordered = np.sort(values)
    assert quantile(ordered, probability) == pytest.approx(float(np.quantile(ordered, probability, method="linear")), rel=1e-12, abs=1e-12)


def test_quantiles_of_few_values() -> None:
    assert quantile(np.asarray([0.010, 0.020, 0.030]), 0.99) == pytest.approx(0.0298)
    assert quantile(np.asarray([0.010]), 0.99) == 0.010
    with pytest.raises(ValueError, match="no samples"):
        quantile(np.empty(0), 0.5)


@pytest.mark.parametrize(("probability", "needed"), [(0.5, 6), (0.95, 72), (0.99, 368)])
def test_an_interval_exists_from_the_stated_n(probability: float, needed: int) -> None:
    assert needed_n(probability) == needed
    assert withheld(needed - 1, probability) == f"withheld (n = {needed - 1}, needs {needed})"
    assert withheld(needed, probability) is None
    assert interval_ranks(needed - 1, probability) is None
    assert interval_ranks(needed, probability) is not None


def cumulative(n: int, probability: float, k: int) -> float:
    """P(B <= k) for B binomial, by plain arithmetic."""
    return sum(comb(n, i) * probability**i * (1 - probability) ** (n - i) for i in range(k + 1))


@pytest.mark.parametrize(("n", "probability"), [(6, 0.5), (24, 0.5), (100, 0.5), (72, 0.95), (100, 0.95), (400, 0.95), (368, 0.99)])
def test_ranks_are_the_narrowest_with_each_tail_within_its_share(n: int, probability: float) -> None:
    found = interval_ranks(n, probability)
    assert found is not None
    lower, upper = found
    assert cumulative(n, probability, lower - 1) <= 0.025 < cumulative(n, probability, lower)
    assert 1 - cumulative(n, probability, upper - 1) <= 0.025 < 1 - cumulative(n, probability, upper - 2)


def test_known_ranks() -> None:
    assert interval_ranks(100, 0.5) == (40, 61)
    assert interval_ranks(6, 0.5) == (1, 6)


@given(st.integers(1, 5))
def test_repeats_that_say_the_same_leave_the_interval_alone(repeats: int) -> None:
    once = np.arange(1.0, 101.0, dtype=np.float64)
    expected = quantile_interval(once, np.ones(100, np.int64), 0.95)
    assert quantile_interval(np.repeat(once, repeats), np.full(100, repeats), 0.95) == expected


def test_uneven_repeats_are_worth_fewer_prompts() -> None:
    assert effective_sample_size(np.full(50, 3)) == 50
    assert effective_sample_size(np.asarray([100, *[1] * 99])) < 4
    assert quantile_interval(np.arange(1000, dtype=np.float64), np.asarray([900, *[1] * 100]), 0.5) is None


def test_a_failed_request_does_not_take_the_interval_of_just_enough_prompts_away() -> None:
    assert rank_n(np.asarray([2] * 71 + [1]), 0.95) == 72
    assert rank_n(np.asarray([2] * 60 + [1] * 12), 0.95) == 72
