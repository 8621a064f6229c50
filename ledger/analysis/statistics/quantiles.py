"""Quantiles, their order-statistic intervals, and when a quantile is withheld (METRICS, Statistics)."""

from functools import lru_cache
from math import ceil, floor, log, log1p

import numpy as np

from ledger.analysis.statistics.trace_columns import Floats, Ints

TAIL = 0.025
"""Each tail of an equal-tailed 95 % interval."""
QUANTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
UNEVEN_TOLERANCE = 0.9
"""How far below the size that a quantile needs an uneven sample's worth may lie; costs coverage at most 1.2 points (p95: 0.95^65)."""


def quantile(ordered: Floats, probability: float) -> float:
    """Return the type-7 quantile of a sample in ascending order: linear interpolation at `p * (n - 1)`, counted from 0.

    Source: Hyndman and Fan 1996, definition 7. ValueError on an empty sample.
    """
    if not len(ordered):
        raise ValueError("got no samples, expected at least 1")
    place = probability * (len(ordered) - 1)
    low = floor(place)
    high = min(low + 1, len(ordered) - 1)
    lower, upper = float(ordered[low]), float(ordered[high])
    return lower + (upper - lower) * (place - low)


@lru_cache
def needed_n(probability: float) -> int:
    """Return the least n at which an equal-tailed 95 % interval of a quantile exists: 6, 72, 368 for p50, p95, p99.

    The rarer side must be seen: `max(p, 1 - p)^n <= 0.025`.
    """
    return ceil(log(TAIL) / log(max(probability, 1 - probability)))


def withheld(n: int, probability: float) -> str | None:
    """Return the words for a quantile, or interval, that this many distinct prompts cannot show; None where they can."""
    needed = needed_n(probability)
    return f"withheld (n = {n}, needs {needed})" if n < needed else None


@lru_cache(maxsize=1024)
def interval_ranks(n: int, probability: float) -> tuple[int, int] | None:
    """Return the ranks, from 1, of the order statistics that bound a quantile of n independent values at 95 %.

    With B binomial(n, p): the lower rank is the largest l with P(B < l) <= 0.025, the upper the smallest u with
    P(B >= u) <= 0.025. None where a side does not exist.
    """
    if n < needed_n(probability):
        return None
    below = np.cumsum(np.exp(_log_binomial(n, probability)))  # below[k] = P(B <= k)
    lower = int(np.searchsorted(below, TAIL, side="right"))
    upper = int(np.searchsorted(below, 1 - TAIL, side="left")) + 1
    return (lower, upper) if lower >= 1 and upper <= n else None


def _log_binomial(n: int, probability: float) -> Floats:
    counts = np.arange(n)
    steps = np.log(n - counts) - np.log(counts + 1) + log(probability) - log1p(-probability)
    return np.concatenate(([0.0], np.cumsum(steps))) + n * log1p(-probability)


def effective_sample_size(requests_per_prompt: Ints) -> float:
    """Return how many evenly sampled prompts a sample is worth (Kish): `(sum r)^2 / sum r^2`, the number of prompts when even."""
    total = float(requests_per_prompt.sum())
    return total**2 / float((requests_per_prompt.astype(np.float64) ** 2).sum())


def rank_n(requests_per_prompt: Ints, probability: float) -> int:
    """Return the n from which the ranks of a pooled sample are taken: its distinct prompts, fewer when unevenly repeated.

    A request that failed in one repeat must not take the interval away from a plan of just enough prompts, so a
    worth within a tenth of the needed size counts as the needed size.
    """
    distinct, needed = len(requests_per_prompt), needed_n(probability)
    worth = effective_sample_size(requests_per_prompt)
    if distinct >= needed and worth >= UNEVEN_TOLERANCE * needed:
        return max(round(worth), needed)
    return round(worth)


def quantile_interval(ordered: Floats, requests_per_prompt: Ints, probability: float) -> tuple[float, float] | None:
    """Return the equal-tailed 95 % interval of a per-request quantile from order statistics; None where none exists.

    Ranks (l, u) of the n distinct prompts, times repeats: places `l * R` and `u * R` of the pool, R being its
    size over n. Should a prompt decide the latency of all its requests, the pool is the sample of the prompts
    with every value R times, those places hold order statistics l and u of the prompts, and the interval is
    exact. The less a prompt decides, the wider than needed it is.

    Args:
        ordered: The pooled sample, ascending.
        requests_per_prompt: Samples of each distinct prompt, each at least 1.
        probability: Which quantile.
    """
    n = rank_n(requests_per_prompt, probability)
    ranks = interval_ranks(n, probability)
    if ranks is None:
        return None
    per_rank = len(ordered) / n
    first = max(floor(ranks[0] * per_rank), 1)
    last = min(ceil(ranks[1] * per_rank), len(ordered))
    return float(ordered[first - 1]), float(ordered[last - 1])
