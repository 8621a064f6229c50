"""The variance between engine lives, by hand: pooled from the arms compared and a little of the others, less what requests explain."""

from math import exp, hypot, log, sqrt

import numpy as np
import pytest

from ledger.analysis.statistics.beta import student_t
from ledger.analysis.statistics.lives import (
    LifeVariance,
    Lives,
    closed_freedom,
    closed_variance,
    open_freedom,
    open_variance,
    widen_interval,
)


def lives(*logs: float, requests: float = 0.0) -> Lives:
    """Return the lives of an arm by their logs, repeat by repeat."""
    return Lives(dict(enumerate(logs, 1)), requests)


def test_the_lives_of_an_arm_are_taken_in_logs() -> None:
    arm = Lives.of({1: exp(1.0), 2: exp(3.0), 3: None, 4: 0.0, 5: float("inf")})
    assert arm.logs == pytest.approx({1: 1.0, 2: 3.0})
    assert (arm.freedom, arm.squares) == pytest.approx((1, 2.0))
    assert (Lives.of({1: 2.0}).freedom, Lives.of({}).squares) == (0, 0)


def test_what_requests_explain_is_how_resamples_move_lives_apart() -> None:
    """Drawn prompts move both lives alike, which cancels; the second moves by 0.2 and -0.2 beside: variance 0.02 in each resample."""
    shared = np.asarray([0.5, -0.5])
    resampled = {1: np.exp(1.0 + shared), 2: np.exp(1.0 + shared + np.asarray([0.2, -0.2]))}
    assert Lives.of({1: exp(1.0), 2: exp(1.0)}, resampled).requests_variance == pytest.approx(0.02)
    assert Lives.of({1: exp(1.0), 2: exp(1.0)}, {1: resampled[1]}).requests_variance == 0  # the other life has none
    assert Lives.of({1: 1.0, 2: 1.0}, {1: np.asarray([0.0, 1.0]), 2: np.asarray([1.0, 1.0])}).requests_variance == 0  # 0 has no log


def test_the_variance_of_two_arms_in_a_closed_loop() -> None:
    """Squares of 0.02 on two degrees of freedom."""
    found = closed_variance({"a": lives(0.0, 0.1), "b": lives(0.0, 0.0 + 0.1 * sqrt(3))}, "a", "b")
    assert found is not None
    assert (found.variance, found.freedom) == pytest.approx((0.005 / 2 + 0.015 / 2, 2))


def test_other_arms_lend_two_degrees_of_freedom_at_most() -> None:
    """Own: 0.02 of 2; others: four arms with 0.01 of 1 each, so 0.01 a degree, of which two count: (0.02 + 0.02) / 4."""
    others = {f"o{i}": lives(0.0, 0.1 * sqrt(2)) for i in range(4)}
    found = closed_variance({"a": lives(0.0, 0.2), "b": lives(0.3, 0.3), **others}, "a", "b")
    assert found is not None
    assert (found.variance, found.freedom) == pytest.approx(((0.02 + 2 * 0.01) / 4, 4))
    one = closed_variance({"a": lives(0.0, 0.2), "b": lives(0.3, 0.3), **others}, "a")
    assert one is not None
    assert (one.variance, one.freedom) == pytest.approx(((0.02 + 2 * 0.04 / 5) / 3, 3))


def test_half_of_what_requests_explain_is_taken_off_and_never_more_than_there_is() -> None:
    found = closed_variance({"a": lives(0.0, 0.2, requests=0.01), "b": lives(0.0, 0.2, requests=0.03)}, "a", "b")
    assert found is not None
    assert found.variance == pytest.approx(0.02 - 0.5 * 0.02)
    none = closed_variance({"a": lives(0.0, 0.0, requests=0.01), "b": lives(0.0, 0.0, requests=0.01)}, "a", "b")
    assert none is not None
    assert none.variance == 0


def test_with_one_life_an_arm_nothing_is_known() -> None:
    assert closed_variance({"a": lives(0.0), "b": lives(0.1)}, "a", "b") is None
    assert closed_variance({}, "a") is None
    assert open_variance({"a": lives(0.0), "b": lives(0.1)}, "a", "b") is None


def test_a_single_life_borrows_from_arms_that_have_more() -> None:
    found = closed_variance({"a": lives(0.0), "b": lives(0.0, 0.2)}, "a")
    assert found is not None
    assert (found.variance, found.freedom) == pytest.approx((0.02, 1))


def test_a_ratio_in_an_open_loop_is_free_of_the_arrivals() -> None:
    """Both arms go up by 0.5 in the second repeat and the third; their difference has the values 0, 0.1, 0.2, so 0.01 / 2 a life."""
    arms = {"a": lives(0.0, 0.6, 0.7), "b": lives(0.0, 0.5, 0.5)}
    found = open_variance(arms, "a", "b")
    assert found is not None
    assert (found.variance, found.freedom) == pytest.approx((0.01 / 2, 2))


def test_one_arm_of_an_open_loop_varies_with_the_arrivals_too() -> None:
    """No arm departs from the others: all variance is that of the arrivals, which have one degree of freedom."""
    arms = {"a": lives(0.0, 0.2), "b": lives(1.0, 1.2), "c": lives(2.0, 2.2)}
    found = open_variance(arms, "a")
    assert found is not None
    assert (found.variance, found.freedom) == pytest.approx((0.02, 1))
    alone = open_variance({"a": lives(0.0, 0.2)}, "a")
    assert alone is not None
    assert (alone.variance, alone.freedom) == pytest.approx((0.02, 1))
    ratio = open_variance(arms, "a", "b")
    assert ratio is not None
    assert (ratio.variance, ratio.freedom) == pytest.approx((0.0, 2))  # and their ratios do not vary at all


def test_an_open_loop_without_arrivals_that_matter_has_nearly_all_degrees_of_freedom() -> None:
    chance = np.random.default_rng(1)
    arms = {name: lives(*chance.standard_normal(40)) for name in "abcd"}
    found = open_variance(arms, "a")
    assert found is not None
    assert found.variance == pytest.approx(1, rel=0.2)
    assert 100 < found.freedom <= 4 * 39


def test_repeats_that_an_arm_lacks_are_left_out_of_an_open_loop() -> None:
    whole, cut = open_variance({"a": lives(0.0, 0.1), "b": lives(0.0, 0.3)}, "a", "b"), {"a": lives(0.0, 0.1, 9.0), "b": lives(0.0, 0.3)}
    assert open_variance(cut, "a", "b") == whole


@pytest.mark.parametrize("counts", [{"a": 2, "b": 2}, {"a": 3, "b": 3, "c": 3}, {"a": 5, "b": 5, "c": 5, "d": 5}, {"a": 1, "b": 1}])
def test_degrees_of_freedom_are_told_without_the_numbers(counts: dict[str, int]) -> None:
    chance = np.random.default_rng(2)
    arms = {arm: lives(*chance.standard_normal(count)) for arm, count in counts.items()}
    for told, made in ((closed_freedom, closed_variance), (open_freedom, open_variance)):
        found = made(arms, "a", "b")
        assert told(counts, "a", "b") == (found.freedom if found else 0)


def test_lives_widen_each_side_by_itself_in_logs() -> None:
    """Prompts 0.1 down and 0.2 up, lives 0.24: in quadrature 0.26 and 0.312."""
    low, high = widen_interval(2.0, (2 * exp(-0.1), 2 * exp(0.2)), 0.24)
    assert (log(low / 2), log(high / 2)) == pytest.approx((-0.26, hypot(0.2, 0.24)))
    assert widen_interval(2.0, (1.5, 2.5), 0.0) == pytest.approx((1.5, 2.5))
    assert widen_interval(2.0, (0.0, 2.5), 0.1)[0] == 0
    assert widen_interval(2.0, (2.1, 2.5), 0.0)[0] == 2.0  # an interval that misses its estimate is stretched to it


def test_half_widths_shrink_with_the_lives_behind_them() -> None:
    variance = LifeVariance(0.01, 4)
    assert variance.half_width(2, 2) == pytest.approx(student_t(4) * 0.1)
    assert variance.half_width(4) == pytest.approx(student_t(4) * 0.05)
