"""Quantiles of the beta distribution, from which come Student's t and the Clopper-Pearson interval. Exact to 1e-12; no library."""

from functools import lru_cache
from math import exp, inf, lgamma, log, log1p, sqrt

TAIL = 0.025
"""Each tail of an equal-tailed 95 % interval."""
ONE_SIDED_TAIL = 0.05
"""The one tail of a 95 % interval whose other end cannot be missed: a share of 0 is never above the truth."""
STEPS = 200
"""Most terms of the continued fraction, and most halvings; both stop at the precision of a float long before."""


def beta_share(x: float, a: float, b: float) -> float:
    """Return P(X <= x) of a beta distribution: the regularised incomplete beta function I_x(a, b).

    Source: the continued fraction of NIST's Digital Library of Mathematical Functions, 8.17.22.
    """
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast below this point, and the function is symmetric
        return 1 - beta_share(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    return front / _continued_fraction(x, a, b)


def _continued_fraction(x: float, a: float, b: float) -> float:
    """Return 1 + d_1 / (1 + d_2 / (1 + ...)) by Lentz's method."""
    value, numerator, denominator = 1.0, 1.0, 0.0
    for step in range(1, STEPS + 1):
        m = step // 2
        if step % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        denominator = 1 / (1 + term * denominator)
        numerator = 1 + term / numerator
        value *= numerator * denominator
        if abs(numerator * denominator - 1) < 1e-15:
            break
    return value


@lru_cache(maxsize=4096)
def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return the x with P(X <= x) = probability, for a probability between 0 and 1 and a, b above 0."""
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if beta_share(middle, a, b) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


@lru_cache(maxsize=1024)
def student_t(freedom: float) -> float:
    """Return the 97.5 % quantile of Student's t with so many degrees of freedom, whole or not, above 0.

    `freedom / (freedom + T^2)` of a T so distributed is beta with `freedom / 2` and 1/2.
    """
    x = beta_quantile(2 * TAIL, freedom / 2, 0.5)
    return sqrt(freedom * (1 / x - 1)) if x else inf


def clopper_pearson(events: int, n: int) -> tuple[float, float]:
    """Return the exact 95 % interval of a share of which `events` of `n` independent trials were seen.

    Equal-tailed, and one-sided where all or none were seen, since the other end cannot be missed: 0 of 72 allow
    4.1 %, and 149 without an event are the fewest that bound the share at 2 %. Source: Clopper and Pearson 1934.
    ValueError where there are no trials or more events than trials.
    """
    if not 0 <= events <= n or n < 1:
        raise ValueError(f"got {events} events in {n} trials, expected at least 1 trial and no more events than trials")
    if events == 0:
        return 0.0, beta_quantile(1 - ONE_SIDED_TAIL, 1, n)
    if events == n:
        return beta_quantile(ONE_SIDED_TAIL, n, 1), 1.0
    return beta_quantile(TAIL, events, n - events + 1), beta_quantile(1 - TAIL, events + 1, n - events)
