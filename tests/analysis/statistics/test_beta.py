"""Beta quantiles, Student's t and Clopper-Pearson against values from tables and plain arithmetic."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.analysis.statistics.beta import beta_quantile, beta_share, clopper_pearson, student_t


def binomial_from(k: int, n: int, p: float) -> float:
    """P(B >= k) for B binomial, by plain arithmetic."""
    return sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))


@given(st.integers(1, 30), st.integers(1, 30), st.floats(0.01, 0.99))
def test_a_beta_share_is_a_binomial_sum(k: int, more: int, x: float) -> None:
    """I_x(k, n - k + 1) = P(B >= k) with B binomial(n, x): DLMF 8.17.5."""
    n = k + more - 1
    assert beta_share(x, k, n - k + 1) == pytest.approx(binomial_from(k, n, x), rel=1e-10, abs=1e-14)


def test_shares_at_the_ends() -> None:
    assert (beta_share(0, 2, 3), beta_share(1, 2, 3), beta_share(0.3, 1, 1)) == pytest.approx((0, 1, 0.3))


@given(st.floats(0.001, 0.999), st.floats(0.5, 50), st.floats(0.5, 50))
def test_a_quantile_has_its_probability(probability: float, a: float, b: float) -> None:
    assert beta_share(beta_quantile(probability, a, b), a, b) == pytest.approx(probability, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("freedom", "expected"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (10, 2.2281), (30, 2.0423), (120, 1.9799), (10_000, 1.9602)],
)
def test_students_t(freedom: int, expected: float) -> None:
    assert student_t(freedom) == pytest.approx(expected, abs=5e-5)


def test_degrees_of_freedom_need_not_be_whole() -> None:
    assert student_t(3) < student_t(2.5) < student_t(2)


@pytest.mark.parametrize(
    ("events", "n", "low", "high"),
    [
        (0, 72, 0, 0.0408),
        (0, 149, 0, 0.0199),
        (1, 72, 0.0004, 0.0750),
        (5, 10, 0.1871, 0.8129),
        (2, 20, 0.0123, 0.3170),
        (10, 10, 0.7411, 1),
    ],
)
def test_clopper_pearson_against_a_table(events: int, n: int, low: float, high: float) -> None:
    assert clopper_pearson(events, n) == pytest.approx((low, high), abs=5e-5)


def test_149_without_an_event_are_the_fewest_that_bound_a_share_at_2_percent() -> None:
    assert clopper_pearson(0, 148)[1] > 0.02 >= clopper_pearson(0, 149)[1]


@given(st.integers(1, 40), st.data())
def test_the_ends_are_where_what_was_seen_becomes_rare(n: int, data: st.DataObject) -> None:
    events = data.draw(st.integers(0, n))
    low, high = clopper_pearson(events, n)
    tail = 0.05 if events in (0, n) else 0.025
    if events:
        assert binomial_from(events, n, low) == pytest.approx(tail, rel=1e-8)
    if events < n:
        assert 1 - binomial_from(events + 1, n, high) == pytest.approx(tail, rel=1e-8)


def test_impossible_counts_are_refused() -> None:
    for events, n in ((0, 0), (3, 2), (-1, 5)):
        with pytest.raises(ValueError, match="expected at least 1 trial"):
            clopper_pearson(events, n)
