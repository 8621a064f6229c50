"""An arm against a base at one load: the same prompts, all repeats, both arms resampled together."""

from collections.abc import Sequence

import numpy as np

from ledger.analysis.cells.cell import NO_COMPLETION
from ledger.analysis.cells.cell_rows import CellRows, Samples
from ledger.analysis.cells.measures import EXTREMES_FROM, match_measures
from ledger.analysis.measures.output_match import match, match_with_itself
from ledger.analysis.measures.replay import GOODPUT, RATES, Replay, rates, replay, scale_interval, why_not_replayed
from ledger.analysis.measures.samples import Sample, sample
from ledger.analysis.statistics.bootstrap import ratio_interval
from ledger.analysis.statistics.quantiles import QUANTILES, withheld
from ledger.analysis.statistics.trace_columns import Ints
from ledger.model.records.run import Comparison, Measure
from ledger.model.values.metrics import LATENCIES

BASE_IS_ZERO = "undefined (the base is 0)"
RESAMPLE_IS_ZERO = "undefined (a resample is 0)"


def comparison(arm: CellRows, base: CellRows, *, samples: tuple[Samples, Samples], is_greedy: bool, seed: int) -> Comparison:
    """Return the ratios of an arm's statistics to those of a base, and how often their outputs match.

    Args:
        arm: Pooled requests of the arm.
        base: Those of the base, at the same load.
        samples: What `CellRows.samples` returned for the two.
        is_greedy: Whether sampling was greedy.
        seed: The seed of those samples.
    """
    metrics: dict[str, Measure] = {}
    for metric in LATENCIES:
        metrics |= _ratios(metric, *_pair(arm, base, metric, samples=samples, seed=seed))
    metrics |= rate_ratios(arm, base, seed)
    found = match(arm.latencies.traces, arm.rows, base.rows)
    metrics |= match_measures(found, is_greedy=is_greedy, seed=seed)
    return Comparison(arm=arm.arm, base=base.arm, load=arm.load.id, metrics=metrics)


def own_match(cell_rows: CellRows, *, is_greedy: bool, seed: int) -> dict[str, Measure]:
    """Return how often an arm's outputs match between its own repeats: what a match rate against it is held to."""
    found = match_with_itself(cell_rows.latencies.traces, cell_rows.rows)
    absent = "not recorded" if len(cell_rows.by_repeat()) > 1 else "no data (1 repeat)"
    return match_measures(found, is_greedy=is_greedy, seed=seed, absent=absent)


def _pair(
    arm: CellRows, base: CellRows, metric: str, *, samples: tuple[Samples, Samples], seed: int
) -> tuple[Sample | None, Sample | None]:
    """Return the two samples over the prompts that both have, so that they are resampled alike."""
    first, second = samples[0][metric], samples[1][metric]
    if first is None or second is None:
        return None, None
    if np.array_equal(first.prompts, second.prompts):
        return first, second
    common = np.intersect1d(first.prompts, second.prompts)
    return _restrict(arm, metric, common, seed=seed), _restrict(base, metric, common, seed=seed)


def _restrict(cell_rows: CellRows, metric: str, prompts: Ints, *, seed: int) -> Sample | None:
    rows = cell_rows.rows[np.isin(cell_rows.prompts, prompts)]
    return sample(cell_rows.latencies, metric, rows, seed=seed, resample=True)


def _ratios(metric: str, arm: Sample | None, base: Sample | None) -> dict[str, Measure]:
    if arm is None or base is None:
        return {f"{metric}.{stat}": Measure(unit="ratio", n=0, reason="no data (0 common prompts)") for stat in QUANTILES}
    return {f"{metric}.{stat}": ratio(arm, base, stat) for stat in QUANTILES}


def ratio(arm: Sample, base: Sample, stat: str) -> Measure:
    """Return the ratio of a quantile of two samples over the same prompts, with its bootstrap interval.

    Args:
        arm: Sample of the arm, resampled.
        base: Sample of the base, resampled with the same seed.
        stat: A key of `QUANTILES`.
    """
    column = list(QUANTILES).index(stat)
    probability = QUANTILES[stat]
    short = withheld(arm.n, probability)
    if short and probability >= EXTREMES_FROM:
        return Measure(unit="ratio", n=arm.n, reason=short)
    if base.quantiles[stat] <= 0:
        return Measure(unit="ratio", n=arm.n, reason=BASE_IS_ZERO)
    value = arm.quantiles[stat] / base.quantiles[stat]
    if short or arm.resampled is None or base.resampled is None:
        return Measure(value=value, unit="ratio", n=arm.n, interval_reason=short)
    above, below = arm.resampled[:, column], base.resampled[:, column]
    if min(above.min(), below.min()) <= 0:
        return Measure(value=value, unit="ratio", n=arm.n, interval_reason=RESAMPLE_IS_ZERO)
    low, high = ratio_interval(above, below, arm.n, probability=probability)
    return Measure(value=value, unit="ratio", low=low, high=high, n=arm.n)


def rate_ratios(arm: CellRows, base: CellRows, seed: int) -> dict[str, Measure]:
    """Return the ratios of throughput, request rate and goodput; in a closed loop with intervals, both arms replayed alike."""
    names = (*RATES, GOODPUT) if arm.limits_s else RATES
    prompts, repeats = np.intersect1d(arm.prompts, base.prompts), (arm.by_repeat(), base.by_repeat())
    mine, theirs = (rates(side.latencies, rows, side.limits_s) for side, rows in zip((arm, base), repeats, strict=True))
    if mine is None or theirs is None:
        return {f"{name}.mean": Measure(unit="ratio", n=len(prompts), reason=NO_COMPLETION) for name in names}
    slots = arm.load.concurrency
    reason = why_not_replayed(prompts, repeats[0] + repeats[1], slots)
    if reason or slots is None:
        return {f"{name}.mean": rate_ratio(mine[name], theirs[name], len(prompts), interval_reason=reason) for name in names}
    played = [replay(arm.latencies, rows, prompts, concurrency=slots, seed=seed, limits_s=arm.limits_s) for rows in repeats]
    return {f"{name}.mean": ratio_of_replays(name, mine[name], theirs[name], played=played, n=len(prompts)) for name in names}


def rate_ratio(mine: float, theirs: float, n: int, *, interval_reason: str | None) -> Measure:
    """Return the ratio of two rates without an interval; undefined where the base's goodput is 0."""
    if not theirs:
        return Measure(unit="ratio", n=n, reason=BASE_IS_ZERO)
    return Measure(value=mine / theirs, unit="ratio", n=n, interval_reason=interval_reason)


def ratio_of_replays(name: str, mine: float, theirs: float, *, played: Sequence[Replay], n: int) -> Measure:
    """Return the ratio of two rates with the interval of their replays; no resample of either may be 0."""
    if not theirs or min(played[0].resampled[name].min(), played[1].resampled[name].min()) <= 0:
        return rate_ratio(mine, theirs, n, interval_reason=RESAMPLE_IS_ZERO)
    resampled, original = (played[0].resampled[name] / played[1].resampled[name], played[0].original[name] / played[1].original[name])
    low, high = scale_interval(mine / theirs, resampled, original, n=n)
    return Measure(value=mine / theirs, unit="ratio", low=low, high=high, n=n)
