"""The burst index: 0 without a pattern, near 1 in lock step, repeats never mixed."""

import numpy as np
import pytest

from ledger.analysis.measures.bursts import burst_index, burst_window_s


def test_the_window_is_half_a_step_and_at_least_5_ms() -> None:
    assert burst_window_s(0.030) == 0.015
    assert burst_window_s(0.004) == burst_window_s(None) == 0.005


def test_batches_that_start_together_are_one_burst() -> None:
    """Eight sends at once every second: all are near another, of which 1 - exp(-2 x 79/9 x 0.01) = 16.1 % would be by chance."""
    assert burst_index([np.repeat(np.arange(10, dtype=np.float64), 8)], 0.01) == pytest.approx(1 - 0.161, abs=1e-3)


def test_even_sends_are_further_apart_than_chance_puts_them() -> None:
    assert burst_index([np.asarray([i / 10 for i in range(100)])], 0.01) == pytest.approx(-(1 - np.exp(-0.2)), abs=1e-3)


def test_arrivals_without_a_pattern_have_none() -> None:
    chance = np.random.default_rng(1)
    found = burst_index([np.cumsum(chance.exponential(0.5, 4000))], 0.05)
    assert found is not None
    assert abs(found) < 0.03


def test_repeats_are_looked_at_one_by_one() -> None:
    """Two repeats at the same instants are no burst; sends in any order count alike."""
    sends = np.asarray([0.0, 1.0, 2.0, 3.0, 4.0])
    assert burst_index([sends, sends[::-1]], 0.01) == pytest.approx(burst_index([sends], 0.01))


def test_a_single_send_says_nothing() -> None:
    assert burst_index([np.asarray([1.0])], 0.01) is None
    assert burst_index([np.asarray([1.0, 1.0])], 0.01) == 0
