"""Quotients of sums: by prompt, undefined over nothing, resampled with the prompts."""

import numpy as np
import pytest

from ledger.analysis.statistics.beta import clopper_pearson
from ledger.analysis.statistics.quotients import Quotient


def quotient(*requests: tuple[int, float, float]) -> Quotient:
    """Return the quotient over requests, each a prompt's code, what it adds above and what below."""
    codes, above, below = zip(*requests, strict=True) if requests else ((), (), ())
    return Quotient.of(np.asarray(codes, np.int64), np.asarray(above, np.float64), np.asarray(below, np.float64))


def test_requests_of_one_prompt_are_summed_before_anything_is_divided() -> None:
    accepted = quotient((7, 3, 4), (2, 1, 4), (7, 0, 2))
    assert (accepted.prompts.tolist(), accepted.numerators.tolist(), accepted.denominators.tolist()) == ([2, 7], [1, 3], [4, 6])
    assert accepted.n == 2
    assert accepted.value == pytest.approx(4 / 10)  # and not the mean of 1/4 and 3/6


def test_nothing_below_the_line_is_undefined_and_never_zero() -> None:
    assert quotient((0, 0, 0), (1, 0, 0)).value is None
    assert quotient().value is None
    assert quotient((0, 0, 5)).value == 0


def test_a_quotient_can_be_restricted_to_some_prompts() -> None:
    assert quotient((1, 1, 2), (2, 1, 4), (3, 1, 8)).among(np.asarray([1, 3])).value == pytest.approx(2 / 10)


def test_a_resample_draws_prompts_with_both_their_sums() -> None:
    """Every prompt has the same quotient, so that every resample has it, however unequal their sizes."""
    resampled = quotient(*((i, 1.0 * i, 4.0 * i) for i in range(1, 9))).resample(seed=1)
    assert resampled.shape == (2000,)
    assert resampled == pytest.approx(np.full(2000, 0.25))


def test_resamples_without_a_denominator_have_no_quotient_and_do_not_widen_the_interval() -> None:
    mostly_undrafted = quotient((0, 2, 4), *((i, 0, 0) for i in range(1, 7)))
    resampled = mostly_undrafted.resample(seed=1)
    assert np.isnan(resampled).any()
    assert set(resampled[~np.isnan(resampled)].tolist()) == {0.5}
    assert mostly_undrafted.interval(seed=1) == (0.5, 0.5)


def test_an_interval_needs_six_prompts_and_a_value() -> None:
    assert quotient(*((i, i % 2, 1) for i in range(5))).interval(seed=1) is None
    assert quotient(*((i, 0, 0) for i in range(6))).interval(seed=1) is None
    low, high = quotient(*((i, i % 2, 1) for i in range(40))).interval(seed=1) or (0.5, 0.5)
    assert 0.3 < low < 0.5 < high < 0.7


@pytest.mark.parametrize("events", [0, 1, 3, 6, 36, 71, 72])
def test_where_every_prompt_is_all_or_nothing_a_share_has_clopper_and_pearsons_interval_at_every_count(events: int) -> None:
    """However many tokens a prompt has: they stand or fall together."""
    found = quotient(*((i, 90.0 * (i < events), 90.0) for i in range(72)))
    assert found.share_interval(seed=1) == clopper_pearson(events, 72)
    assert found.is_bounded_by_prompts


def test_requests_of_one_prompt_count_once() -> None:
    """Two repeats of 72 prompts without an event are 72 prompts, and allow 4.1 %."""
    found = quotient(*((i % 72, 0.0, 10.0) for i in range(144)))
    assert found.share_interval(seed=1) == pytest.approx((0.0, 0.0408), abs=1e-4)


def test_a_few_prompts_with_any_event_bound_the_share_of_prompts_with_one() -> None:
    """One token of one prompt among 72 of 90 tokens each: the bootstrap would say 0.0 to 0.05 %."""
    rare = quotient(*((i, 1.0 * (i == 5), 90.0) for i in range(72)))
    assert rare.share_interval(seed=1) == (0.0, clopper_pearson(1, 72)[1])
    assert rare.is_bounded_by_prompts
    common = quotient(*((i, 90.0 - (i == 5), 90.0) for i in range(72)))
    assert common.share_interval(seed=1) == pytest.approx((1 - clopper_pearson(1, 72)[1], 1.0))


def test_enough_prompts_with_parts_are_resampled() -> None:
    parts = quotient(*((i, 20.0 + i % 30, 90.0) for i in range(72)))
    low, high = parts.share_interval(seed=1) or (0.0, 1.0)
    assert 0.3 < low < (parts.value or 0) < high < 0.45
    assert not parts.is_bounded_by_prompts


def test_prompts_that_were_asked_nothing_are_no_trials() -> None:
    drafted_for = quotient(*((i, 0.0, 4.0 if i < 10 else 0.0) for i in range(72)))
    assert drafted_for.share_interval(seed=1) == clopper_pearson(0, 10)
    assert quotient((0, 0, 0)).share_interval(seed=1) is None


def test_few_prompts_with_parts_have_no_interval_and_few_without_have_a_wide_one() -> None:
    assert quotient(*((i, 1.0, 4.0) for i in range(5))).share_interval(seed=1) is None
    assert quotient(*((i, 0.0, 4.0) for i in range(5))).share_interval(seed=1) == clopper_pearson(0, 5)
