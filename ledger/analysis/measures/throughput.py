"""Rates of one cell: tokens and requests over time, the steady window, goodput, and what became of each request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ledger.analysis.measures.latencies import COMPLETED, PER_REQUEST, Latencies
from ledger.analysis.measures.saturation import last_sign_s
from ledger.analysis.statistics.trace_columns import OUTCOMES, Bools, Floats, Ints

STEADY_SHARE = 0.95
SHORT_SHARE = 0.5
"""A steady window below this share of the cell's duration is called short."""
NOT_STEADY = "no data (the concurrency was never reached)"
NO_TARGET = "undefined (no target concurrency)"
Counted = Literal["sent", "completed", "failed", "aborted", "empty", "ended-empty"]


def request_counts(latencies: Latencies, rows: Ints) -> dict[Counted, int]:
    """Return the requests sent, and how many of them ended in each way; the ways sum to those sent.

    `ended-empty` is left out where there are none, as in records of releases that did not tell it apart.
    """
    ended = np.bincount(latencies.traces.outcome[rows], minlength=len(OUTCOMES))
    counts: dict[Counted, int] = {"sent": len(rows)}
    counts.update({outcome: int(ended[i]) for i, outcome in enumerate(OUTCOMES) if ended[i] or outcome != "ended-empty"})
    return counts


def duration_s(latencies: Latencies, rows: Ints) -> float | None:
    """Return the time from the first send to the last completion of one repeat, in seconds; None if nothing completed."""
    done = rows[latencies.traces.outcome[rows] == COMPLETED]
    done = done[~np.isnan(latencies.last_s[done])]
    if not len(done):
        return None
    return float(latencies.last_s[done].max() - latencies.traces.sent_s[rows].min())


def output_tokens(latencies: Latencies, rows: Ints) -> int:
    """Return the output tokens delivered, those of requests that did not complete included."""
    return int(latencies.output_tokens[rows].sum())


@dataclass(frozen=True, slots=True)
class SteadyWindow:
    """From the first to the last instant at which a closed load ran at 95 % of its concurrency or more."""

    start_s: float
    end_s: float
    output_tokens: int
    """Tokens whose chunk arrived after the start, up to the end."""
    below_share: float
    """Share of the window in which the concurrency was lower all the same."""
    warning: str | None

    @property
    def tokens_per_s(self) -> float:
        """Output throughput inside the window."""
        return self.output_tokens / (self.end_s - self.start_s)


def steady_window(latencies: Latencies, rows: Ints, concurrency: int) -> SteadyWindow | None:
    """Return the steady window of one repeat of a closed load; None if the concurrency was never reached for any time."""
    times, in_flight = _in_flight(latencies, rows)
    steady = np.flatnonzero(in_flight[:-1] >= STEADY_SHARE * concurrency)
    steady = steady[times[steady + 1] > times[steady]]
    total_s = duration_s(latencies, rows)
    if not len(steady) or not total_s:
        return None
    start, end = float(times[steady[0]]), float(times[steady[-1] + 1])
    steady_s = float((times[steady + 1] - times[steady]).sum())
    below = 1 - steady_s / (end - start)
    return SteadyWindow(start, end, _tokens_between(latencies, rows, start, end=end), below, _warning(end - start, total_s, below))


@dataclass(frozen=True, slots=True)
class SteadyRate:
    """Output throughput over the steady windows of a cell's repeats."""

    tokens_per_s: float | None
    """None where no repeat reached its concurrency."""
    reason: str | None
    """Why there is none, or what is to be said against it."""


def steady_rate(latencies: Latencies, by_repeat: Sequence[Ints], concurrency: int | None) -> SteadyRate:
    """Return the tokens of all steady windows over their seconds, with the first warning about any of them."""
    if concurrency is None:
        return SteadyRate(None, NO_TARGET)
    windows = [window for rows in by_repeat if (window := steady_window(latencies, rows, concurrency))]
    if not windows:
        return SteadyRate(None, NOT_STEADY)
    seconds = sum(window.end_s - window.start_s for window in windows)
    warnings = (window.warning for window in windows if window.warning)
    return SteadyRate(sum(window.output_tokens for window in windows) / seconds, next(warnings, None))


def _in_flight(latencies: Latencies, rows: Ints) -> tuple[Floats, Ints]:
    times = np.concatenate((latencies.traces.sent_s[rows], last_sign_s(latencies, rows)))
    change = np.repeat(np.asarray([1, -1]), len(rows))
    order = np.lexsort((change, times))
    return times[order], np.cumsum(change[order])


def _tokens_between(latencies: Latencies, rows: Ints, start: float, *, end: float) -> int:
    total = 0
    for block in latencies.traces.blocks(rows):
        total += int(block.tokens[(block.times_s > start) & (block.times_s <= end)].sum())
    return total


def _warning(window_s: float, total_s: float, below: float) -> str | None:
    if window_s < SHORT_SHARE * total_s:
        return f"the steady window is short: {window_s:.3f} s of {total_s:.3f} s"
    if below > 1 - STEADY_SHARE:
        return f"the concurrency was below 95 % of its target for {below:.0%} of the steady window"
    return None


def within_limits(latencies: Latencies, rows: Ints, limits_s: Mapping[str, float]) -> Bools:
    """Return which requests completed and met all limits; a request without a metric does not meet its limit.

    Args:
        latencies: The run's per-request columns.
        rows: Places of the requests.
        limits_s: Metric (a key of `PER_REQUEST`) to its largest allowed value, in seconds, inclusive.
    """
    met: Bools = latencies.traces.outcome[rows] == COMPLETED
    for metric, limit in limits_s.items():
        met &= PER_REQUEST[metric](latencies)[rows] <= limit  # NaN is never at or below a limit
    return met
