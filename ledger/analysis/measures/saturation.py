"""Whether an open load overran the engine (METRICS, Per cell)."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from ledger.analysis.measures.latencies import Latencies
from ledger.analysis.statistics.trace_columns import OUTCOMES, Bools, Floats, Ints

NEEDED_REQUESTS = 200
DEPARTED_SHARE = 0.95
FAILED = OUTCOMES.index("failed")


@dataclass(frozen=True, slots=True)
class Saturation:
    """The two counts behind the answer, over the last two thirds of the arrival window."""

    is_saturated: bool | None
    """None where there were too few requests to decide."""
    reason: str | None
    """Why it was not decided."""
    arrivals: int
    departures: int

    @property
    def backlog_growth(self) -> int:
        """Requests by which the backlog grew."""
        return self.arrivals - self.departures


def saturation(latencies: Latencies, rows: Ints) -> Saturation:
    """Return whether an open load overran the engine in one cell.

    Over the last two thirds of the arrival window: departures below 95 % of the arrivals that really happened,
    *and* a backlog that grew by more than `2 * sqrt(arrivals)`. Not decided under 200 requests. A failed request
    never departs; an empty or aborted one departs at its last sign of life.
    """
    scheduled = latencies.traces.scheduled_s[rows]
    if len(rows) < NEEDED_REQUESTS:
        return Saturation(None, f"not decided ({len(rows)} requests, needs {NEEDED_REQUESTS})", 0, 0)
    start = scheduled.min() + (scheduled.max() - scheduled.min()) / 3
    departed = last_sign_s(latencies, rows)[latencies.traces.outcome[rows] != FAILED]
    arrivals, departures = (int(_within(times, start, scheduled.max()).sum()) for times in (scheduled, departed))
    is_saturated = departures < DEPARTED_SHARE * arrivals and arrivals - departures > 2 * sqrt(arrivals)
    return Saturation(is_saturated, None, arrivals, departures)


def last_sign_s(latencies: Latencies, rows: Ints) -> Floats:
    """Return each request's last known instant, in seconds: its last chunk, or its send where it had no output."""
    last = latencies.last_s[rows]
    return np.where(np.isnan(last), latencies.traces.sent_s[rows], last)


def _within(times: Floats, start: float, end: float) -> Bools:
    return (times > start) & (times <= end)
