"""Rates of a cell with their intervals: a closed loop is replayed with prompts drawn anew.

A rate is one figure a repeat, and its denominator ends with the slowest of the last requests. So a resample is
played through the slots again, in order: each prompt drawn brings the times and tokens of its own requests.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ledger.analysis.measures.latencies import COMPLETED, Latencies
from ledger.analysis.measures.saturation import last_sign_s
from ledger.analysis.measures.throughput import duration_s, within_limits
from ledger.analysis.statistics.bootstrap import RESAMPLES, draw_prompts, expanded_tail, interval
from ledger.analysis.statistics.quantiles import needed_n
from ledger.analysis.statistics.trace_columns import Floats, Ints

RATES = ("throughput", "requests-per-s")
GOODPUT = "goodput"
"""A third rate where the protocol sets limits: completed requests that met all of them."""
Limits = Mapping[str, float]
"""Goodput limits: metric to its largest allowed value in seconds, inclusive; empty leaves goodput out."""
NO_LIMITS: Limits = MappingProxyType({})
MOST_STEPS = 1 << 20
SLOTS_A_STEP = 40
"""A replay takes time with `requests * (slots + 40)` of a repeat; the most is a second or two."""


def rates(latencies: Latencies, by_repeat: Sequence[Ints], limits_s: Limits = NO_LIMITS) -> dict[str, float] | None:
    """Return delivered output tokens, completed requests and those within limits, each per second of the repeats' durations.

    None unless every repeat completed something. A repeat lasts from its first send to its last completion.
    """
    durations = [duration_s(latencies, rows) for rows in by_repeat]
    seconds = sum(d for d in durations if d)
    if not durations or not all(durations):
        return None
    counted = [counts(latencies, rows, limits_s) for rows in by_repeat]
    return {name: float(sum(one[name].sum() for one in counted)) / seconds for name in counted[0]}


def counts(latencies: Latencies, rows: Ints, limits_s: Limits = NO_LIMITS) -> dict[str, Floats]:
    """Return what each request adds to each rate: its output tokens, 1 if it completed, and 1 if it met all limits."""
    completed = latencies.traces.outcome[rows] == COMPLETED
    found = {"throughput": latencies.output_tokens[rows].astype(np.float64), "requests-per-s": completed.astype(np.float64)}
    return found | ({GOODPUT: within_limits(latencies, rows, limits_s).astype(np.float64)} if limits_s else {})


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """The rates of a closed loop as it was, and of each resample of its prompts, by the same replay."""

    original: dict[str, float]
    resampled: dict[str, Floats]


def why_not_replayed(prompts: Ints, by_repeat: Sequence[Ints], concurrency: int | None) -> str | None:
    """Return why a cell's rates have no interval; None where a replay gives one."""
    if concurrency is None:
        return "open loop: the rate follows the arrivals"
    if len(prompts) < needed_n(0.5):
        return f"withheld (n = {len(prompts)}, needs {needed_n(0.5)})"
    if max(len(rows) for rows in by_repeat) * (concurrency + SLOTS_A_STEP) > MOST_STEPS:
        return "too many requests to replay"
    return None


def replay(
    latencies: Latencies,
    by_repeat: Sequence[Ints],
    prompts: Ints,
    *,
    concurrency: int,
    seed: int,
    limits_s: Limits = NO_LIMITS,
    resamples: int = RESAMPLES,
) -> Replay:
    """Return the rates of a closed loop replayed with these prompts drawn anew, each with all its repeats.

    Args:
        latencies: The run's per-request columns.
        by_repeat: Rows of each repeat.
        prompts: Codes of the prompts to draw from, ascending; requests of others are left out.
        concurrency: Slots.
        seed: Of the draws; two arms with the same prompts and seed are drawn alike, which pairs them.
        limits_s: Goodput limits.
        resamples: How many; the first of those that the seed draws.
    """
    drawn = np.concatenate((_as_sent(latencies, by_repeat[0], prompts), draw_prompts(len(prompts), seed, resamples)))
    seconds = np.zeros(resamples + 1)
    totals: dict[str, Floats] = {}
    for rows in by_repeat:
        held_s, added = _by_turn(latencies, rows, prompts, limits_s=limits_s)
        seconds += _makespans(held_s, drawn, concurrency)
        for name, one in added.items():
            totals[name] = totals.get(name, 0.0) + one[drawn].sum(axis=1)
    found = {name: total / seconds for name, total in totals.items()}
    return Replay({name: float(one[0]) for name, one in found.items()}, {name: one[1:] for name, one in found.items()})


def spread_interval(value: float, resampled: Floats, n: int) -> tuple[float, float] | None:
    """Return the 95 % interval of a figure from the spread of its resamples, recentred on the figure in logs.

    A replay says how much a rate varies with the prompts drawn, and not where it lies: the order that was sent may
    drain faster than nearly every order drawn anew. None where half of the resamples or more are 0.

    Args:
        value: The figure, above 0.
        resampled: Its resamples, at least 0.
        n: Distinct prompts.
    """
    centre = float(np.median(resampled))
    return interval(resampled / centre * value, (expanded_tail(n), expanded_tail(n))) if centre > 0 else None


def _as_sent(latencies: Latencies, rows: Ints, prompts: Ints) -> Ints:
    """Return the places of the prompts in the order in which a repeat sent them, as one row; any it lacks come last."""
    last = np.iinfo(np.int64).max
    first = np.full(len(prompts), last)
    place = np.searchsorted(prompts, latencies.traces.prompt.codes[rows])
    known = (place < len(prompts)) & np.isin(latencies.traces.prompt.codes[rows], prompts)
    np.minimum.at(first, place[known], latencies.traces.index[rows][known])
    return np.argsort(first, kind="stable")[None, :]


def _by_turn(latencies: Latencies, rows: Ints, prompts: Ints, *, limits_s: Limits) -> tuple[list[Floats], dict[str, Floats]]:
    """Return how long each prompt's first, second, … request held its slot (0 where it had none), and its sums for the rates."""
    codes = latencies.traces.prompt.codes[rows]
    rows = rows[np.isin(codes, prompts)]
    rows = rows[np.argsort(latencies.traces.index[rows], kind="stable")]
    place = np.searchsorted(prompts, latencies.traces.prompt.codes[rows])
    held_s = last_sign_s(latencies, rows) - latencies.traces.sent_s[rows]
    added = {
        name: np.bincount(place, weights=one, minlength=len(prompts)).astype(np.float64)
        for name, one in counts(latencies, rows, limits_s).items()
    }
    turns = []
    while len(place):
        _, first = np.unique(place, return_index=True)
        turn = np.zeros(len(prompts))
        turn[place[first]] = held_s[first]
        turns.append(turn)
        place, held_s = np.delete(place, first), np.delete(held_s, first)
    return turns, added


def _makespans(turns: Sequence[Floats], drawn: Ints, concurrency: int) -> Floats:
    """Return how long each row of drawn prompts takes when every request goes to the slot that is free first."""
    free = np.zeros((len(drawn), concurrency))
    row = np.arange(len(drawn))
    for turn in turns:
        for prompt in drawn.T:
            free[row, free.argmin(axis=1)] += turn[prompt]
    makespans: Floats = free.max(axis=1)
    return makespans
