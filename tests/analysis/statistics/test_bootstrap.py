"""The bootstrap of prompts: the same draws for the same seed, quantiles of each resample exact, memory bounded."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.analysis.statistics.bootstrap import (
    BODY_STEPS,
    TAIL_STEPS,
    BinnedSample,
    draws,
    expanded_tail,
    group_prompts,
    interval,
    quantile_tails,
    ratio_interval,
)
from ledger.analysis.statistics.quantiles import interval_ranks


def binned_sample(values: np.ndarray, groups: np.ndarray, group_count: int) -> BinnedSample:
    """Return the binned sample of values in one block."""
    return BinnedSample.of(np.sort(values), [(values, groups)], group_count)


def test_draws_are_the_same_for_a_seed_and_as_many_as_there_are_groups() -> None:
    weights = draws(20, 7)
    assert weights.shape == (2000, 20)
    assert (weights.sum(axis=1) == 20).all()
    assert np.array_equal(weights, draws.__wrapped__(20, 7))
    assert not np.array_equal(weights, draws(20, 8))


@settings(deadline=None)
@given(st.data())
def test_a_resample_has_the_quantiles_of_its_requests_written_out(data: st.DataObject) -> None:
    groups = np.asarray(data.draw(st.lists(st.integers(0, 4), min_size=1, max_size=40)) + list(range(5)))
    values = np.asarray(data.draw(st.lists(st.floats(0, 10, allow_nan=False), min_size=len(groups), max_size=len(groups))))
    weights = draws(5, data.draw(st.integers(0, 50)))[:20]
    found = binned_sample(values, groups, 5).quantiles(weights, (0.5, 0.95))
    for row, drawn in zip(found, weights, strict=True):
        written = np.repeat(values, drawn[groups].astype(int))
        assert row == pytest.approx(np.quantile(written, [0.5, 0.95]), rel=1e-9, abs=1e-9)


def test_bins_of_a_large_sample_change_no_quantile_that_matters() -> None:
    chance = np.random.default_rng(1)
    values, groups = np.exp(chance.standard_normal(60_000)), np.repeat(np.arange(60), 1000)
    binned = binned_sample(values, groups, 60)
    assert binned.counts.shape[1] <= BODY_STEPS + TAIL_STEPS + 1
    weights = draws(60, 1)[:10]
    written = [np.quantile(np.repeat(values, drawn[groups].astype(int)), [0.5, 0.95, 0.99]) for drawn in weights]
    assert binned.quantiles(weights, (0.5, 0.95, 0.99)) == pytest.approx(np.asarray(written), rel=2e-3)


def test_a_frequent_value_stays_itself_in_a_large_sample() -> None:
    chance = np.random.default_rng(2)
    values = np.where(chance.random(40_000) < 0.6, 0.006, chance.random(40_000) * 0.004)
    found = binned_sample(values, np.arange(40_000) % 80, 80).quantiles(draws(80, 1), (0.5,))
    assert set(found.ravel().tolist()) == {0.006}


def test_many_prompts_are_drawn_in_groups() -> None:
    group_of, count = group_prompts(50_000)
    assert count == 1024
    assert np.bincount(group_of).max() - np.bincount(group_of).min() <= 1


@pytest.mark.parametrize(("n", "probability"), [(72, 0.95), (96, 0.95), (368, 0.99)])
def test_where_prompts_decide_everything_the_interval_is_the_order_statistics(n: int, probability: float) -> None:
    """Cut at 2.5 %, the upper end would miss in 12 % of cases; rank u of the binomial interval is what it has to reach."""
    values = np.arange(1.0, n + 1)
    resampled = binned_sample(values, np.arange(n), n).quantiles(draws(n, 0), (probability,))[:, 0]
    ranks = interval_ranks(n, probability)
    assert ranks is not None
    assert interval(resampled, quantile_tails(n, probability))[1] >= ranks[1]
    assert np.quantile(resampled, 0.975) < ranks[1]


def test_expanded_tails_shrink_with_n_to_the_plain_one() -> None:
    tails = [expanded_tail(n) for n in (6, 24, 96, 10_000)]
    assert tails == sorted(tails)
    assert tails[-1] == pytest.approx(0.025, abs=1e-4)


def test_a_ratio_over_a_constant_base_is_the_arms_own_interval() -> None:
    chance = np.random.default_rng(3)
    arm = binned_sample(np.exp(chance.standard_normal(96)), np.arange(96), 96).quantiles(draws(96, 1), (0.95,))[:, 0]
    base = np.full(2000, 2.0)
    own = interval(arm, quantile_tails(96, 0.95))
    assert ratio_interval(arm, base, 96, probability=0.95) == pytest.approx((own[0] / 2, own[1] / 2))
    assert ratio_interval(base, base, 96, probability=0.95) == (1.0, 1.0)
