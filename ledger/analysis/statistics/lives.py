"""What differs from one engine life to the next, and how it widens an interval that has seen the prompts alone.

METRICS, Statistics: half width^2 = h_prompts^2 + t(df)^2 s^2 (1/R_a + 1/R_b), in logs, each side by itself. Two
refinements keep the coverage between 93 and 99 % where that formula leaves it (`python -m benchmarks coverage`):

- s^2 holds the chance of a life's own requests too, which h_prompts has already. Half of that part, known from
  resamples, is taken off it; all of it would be too much, since an s^2 of few lives is low as often as high.
- An arm may vary more than the others. So s^2 is that of the arms compared, to which the other arms' is joined with
  the weight of two degrees of freedom at most, and not of all they have.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, hypot, inf, log, sqrt

import numpy as np

from ledger.analysis.statistics.beta import student_t
from ledger.analysis.statistics.trace_columns import Floats

LIFE_RESAMPLES = 200
"""Resamples of a single life: enough for a variance, of which half is used."""
REQUESTS_SHARE = 0.5
"""Of the variance that a life's own requests explain, how much is taken off the variance between lives."""
MOST_BORROWED = 2
"""Degrees of freedom that the arms not compared may lend."""


@dataclass(frozen=True, slots=True)
class Lives:
    """One statistic in every engine life of one arm, in logs."""

    logs: Mapping[int, float]
    """Repeat to the log of the life's own estimate, even where its prompts are too few to print it."""
    requests_variance: float = 0.0
    """Variance of a life's estimate that its own requests explain; 0 where it is not known, which widens intervals."""

    @classmethod
    def of(cls, values: Mapping[int, float | None], resampled: Mapping[int, Floats] | None = None) -> "Lives":
        """Return the lives of an arm.

        Args:
            values: Each life's estimate; None, or one that has no logarithm, is left out.
            resampled: The same statistic in resamples of each life, all lives resampled alike, if there are any.
        """
        logs = {repeat: log(value) for repeat, value in values.items() if value is not None and 0 < value < inf}
        known = resampled or {}
        has_all = len(logs) > 1 and all(repeat in known and _is_positive(known[repeat]) for repeat in logs)
        return cls(logs, _requests_variance([np.log(known[repeat]) - logs[repeat] for repeat in logs]) if has_all else 0.0)

    @property
    def freedom(self) -> int:
        """Degrees of freedom within the arm."""
        return max(len(self.logs) - 1, 0)

    @property
    def squares(self) -> float:
        """Sum of squares around the arm's mean."""
        values = np.fromiter(self.logs.values(), np.float64)
        return float(((values - values.mean()) ** 2).sum()) if len(values) else 0.0


def _is_positive(resampled: Floats) -> bool:
    return bool(np.isfinite(resampled).all() and (resampled > 0).all())


def _requests_variance(deviations: Sequence[Floats]) -> float:
    """Return the variance between lives that are resampled alike: which prompts were drawn moves all of them, and cancels."""
    return float(np.stack(deviations).var(axis=0, ddof=1).mean())


@dataclass(frozen=True, slots=True)
class LifeVariance:
    """The variance of one life's estimate, in logs, beyond what an interval of the prompts has seen."""

    variance: float
    freedom: float
    """Above 0."""

    def half_width(self, *repeats: int) -> float:
        """Return what it adds to each side, in logs: for one arm of so many repeats, or for the ratio of two."""
        return student_t(self.freedom) * sqrt(self.variance * sum(1 / count for count in repeats))


def closed_variance(lives: Mapping[str, Lives], *arms: str) -> LifeVariance | None:
    """Return the variance between the lives of an arm, or of two that are compared, in a closed loop; None where none has two lives.

    Args:
        lives: Every arm of the load.
        arms: The one or two that the interval is about.
    """
    own = [lives[arm] for arm in arms if arm in lives]
    others = [one for arm, one in lives.items() if arm not in arms]
    parts = (
        _Part(sum(one.squares for one in own), sum(one.freedom for one in own), _mean_requests(own)),
        _Part(sum(one.squares for one in others), sum(one.freedom for one in others), _mean_requests(others)),
    )
    return _join(*parts)


def closed_freedom(lives: Mapping[str, int], *arms: str) -> int:
    """Return the degrees of freedom that `closed_variance` has; `lives` are how many each arm of the load has."""
    own = sum(max(lives.get(arm, 0) - 1, 0) for arm in arms)
    return own + min(sum(max(count - 1, 0) for arm, count in lives.items() if arm not in arms), MOST_BORROWED)


def open_freedom(lives: Mapping[str, int], *arms: str) -> int:
    """Return the degrees of freedom that `open_variance` has for a ratio of two arms."""
    within = max(min(lives.values(), default=0) - 1, 0) if set(arms) <= lives.keys() else 0
    return within + min((len(lives) - 2) * within, MOST_BORROWED)


def open_variance(lives: Mapping[str, Lives], *arms: str) -> LifeVariance | None:
    """Return the same in an open loop, whose arrivals are drawn anew for each repeat and alike on all arms.

    A ratio is free of the arrivals: its variance comes from residuals after arm and repeat. The figure of one arm is
    not: its variance is that of arrivals and lives together, with degrees of freedom after Satterthwaite 1946.
    """
    repeats = sorted(set.intersection(*(set(one.logs) for one in lives.values()))) if lives else []
    if len(repeats) < 2 or not set(arms) <= lives.keys():
        return None
    table = np.asarray([[one.logs[repeat] for repeat in repeats] for one in lives.values()])
    residual = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
    squares, freedom = float((residual**2).sum()), (len(table) - 1) * (len(repeats) - 1)
    if len(arms) == 1:
        return _arrivals_and_lives(table, squares, freedom, requests=_mean_requests([lives[arms[0]]]))
    places = [list(lives).index(arm) for arm in arms]
    difference = table[places[0]] - table[places[1]]
    own = float(((difference - difference.mean()) ** 2).sum()) / 2
    parts = (
        _Part(own, len(repeats) - 1, _mean_requests([lives[arm] for arm in arms])),
        _Part(max(squares - own, 0.0), freedom - (len(repeats) - 1), _mean_requests([x for arm, x in lives.items() if arm not in arms])),
    )
    return _join(*parts)


def _arrivals_and_lives(table: Floats, squares: float, freedom: int, *, requests: float) -> LifeVariance:
    arms, repeats = table.shape
    between = arms * float(((table.mean(axis=0) - table.mean()) ** 2).sum()) / (repeats - 1)
    if arms == 1:
        return LifeVariance(_beyond_requests(between, requests), repeats - 1)
    within = squares / freedom
    total = between + (arms - 1) * within
    weight = (between**2 + (arms - 1) * within**2) / (repeats - 1)
    return LifeVariance(_beyond_requests(total / arms, requests), total**2 / weight if weight else float(repeats - 1))


@dataclass(frozen=True, slots=True)
class _Part:
    squares: float
    freedom: int
    requests: float
    """Mean variance that the requests explain."""


def _join(own: _Part, others: _Part) -> LifeVariance | None:
    borrowed = min(others.freedom, MOST_BORROWED)
    freedom = own.freedom + borrowed
    if not freedom:
        return None
    scale = borrowed / others.freedom if borrowed else 0.0
    variance = (own.squares + scale * others.squares) / freedom
    requests = (own.freedom * own.requests + borrowed * others.requests) / freedom
    return LifeVariance(_beyond_requests(variance, requests), freedom)


def _mean_requests(lives: Sequence[Lives]) -> float:
    freedom = sum(one.freedom for one in lives)
    return sum(one.freedom * one.requests_variance for one in lives) / freedom if freedom else 0.0


def _beyond_requests(variance: float, requests: float) -> float:
    return max(variance - REQUESTS_SHARE * requests, 0.0)


def widen_interval(value: float, interval: tuple[float, float], life_half_width: float) -> tuple[float, float]:
    """Return an interval of the prompts widened by what lives add, in quadrature in logs, each side by itself.

    Args:
        value: The estimate, above 0; the widened interval always holds it.
        interval: Its ends by the prompts alone; an end at 0 stays there.
        life_half_width: What `LifeVariance.half_width` says.
    """
    low, high = interval
    down = log(value / low) if low > 0 else inf
    up = log(high / value)
    return value * exp(-hypot(max(down, 0.0), life_half_width)), value * exp(hypot(max(up, 0.0), life_half_width))
