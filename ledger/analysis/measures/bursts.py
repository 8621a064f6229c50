"""Whether requests are sent together: lock-stepped traffic, in which prefills never meet decodes (METRICS, Statistics)."""

from collections.abc import Sequence
from math import exp

import numpy as np

from ledger.analysis.statistics.trace_columns import Floats

LEAST_WINDOW_S = 0.005
"""Sends closer than this are one burst on any engine: a client's own lag is of this size."""


def burst_window_s(median_step_s: float | None) -> float:
    """Return how close two sends are to count as together: half the baseline's median step, and at least 5 ms."""
    return max((median_step_s or 0.0) / 2, LEAST_WINDOW_S)


def burst_index(sent_s: Sequence[Floats], window_s: float) -> float | None:
    """Return the share of sends within the window of another, less what sends without any pattern show: `1 - exp(-2 rate w)`.

    0 for arrivals that know nothing of each other, near 1 for batches that start together; None below two sends.

    Args:
        sent_s: When each request was sent, a column a repeat; instants of different repeats are never compared.
        window_s: What `burst_window_s` returned.
    """
    near = expected = 0.0
    total = 0
    for sends in sent_s:
        if len(sends) < 2:
            continue
        gaps = np.diff(np.sort(sends))
        to_next, to_previous = np.append(gaps, np.inf), np.insert(gaps, 0, np.inf)
        near += float((np.minimum(to_next, to_previous) <= window_s).sum())
        lasted_s = float(gaps.sum())
        expected += len(sends) * (1 - exp(-2 * (len(sends) - 1) / lasted_s * window_s) if lasted_s else 1.0)
        total += len(sends)
    return (near - expected) / total if total else None
