"""An arm against a base at one load: the same prompts, all repeats, both arms resampled together."""

import numpy as np

from ledger.analysis.cells.cell import NO_COMPLETION
from ledger.analysis.cells.cell_rows import CellRows, Samples
from ledger.analysis.cells.measures import EXTREMES_FROM, match_measures, quotient_measure
from ledger.analysis.measures.latencies import COMPLETED
from ledger.analysis.measures.output_match import match, match_with_itself
from ledger.analysis.measures.replay import GOODPUT, RATES, rates, replay, spread_interval, why_not_replayed
from ledger.analysis.measures.samples import Sample, sample
from ledger.analysis.measures.throughput import steady_rate
from ledger.analysis.statistics.bootstrap import ratio_interval
from ledger.analysis.statistics.quantiles import QUANTILES, withheld
from ledger.analysis.statistics.quotients import Quotient
from ledger.analysis.statistics.trace_columns import Floats, Ints
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
    metrics["output-length.mean"] = length_ratio(arm, base, seed)
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
    return sample(cell_rows.latencies, metric, rows, seed=seed)


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


def length_ratio(arm: CellRows, base: CellRows, seed: int) -> Measure:
    """Return the ratio of mean output lengths over the prompts that both arms completed, each prompt counted alike."""
    mine, theirs = mean_lengths(arm), mean_lengths(base)
    prompts = np.intersect1d(mine.prompts, theirs.prompts)
    lengths = [side.among(prompts).numerators / side.among(prompts).denominators for side in (mine, theirs)]
    return quotient_measure(Quotient(prompts, lengths[0], lengths[1]), "ratio", undefined="no data (0 common prompts)", seed=seed)


def mean_lengths(cell_rows: CellRows) -> Quotient:
    """Return the output tokens of completed requests over their number, by prompt."""
    latencies = cell_rows.latencies
    done = cell_rows.rows[latencies.traces.outcome[cell_rows.rows] == COMPLETED]
    return Quotient.of(latencies.traces.prompt.codes[done], latencies.output_tokens[done], np.ones(len(done)))


def rate_ratios(arm: CellRows, base: CellRows, seed: int) -> dict[str, Measure]:
    """Return the ratios of throughput, request rate and goodput; in a closed loop with intervals, both arms replayed alike."""
    names = (*RATES, GOODPUT) if arm.limits_s else RATES
    prompts, repeats = np.intersect1d(arm.prompts, base.prompts), (arm.by_repeat(), base.by_repeat())
    mine, theirs = (rates(side.latencies, rows, side.limits_s) for side, rows in zip((arm, base), repeats, strict=True))
    ratios = {"throughput.steady": steady_ratio(arm, base, seed)}
    if mine is None or theirs is None:
        return {f"{name}.mean": Measure(unit="ratio", n=len(prompts), reason=NO_COMPLETION) for name in names} | ratios
    slots = arm.load.concurrency
    reason = why_not_replayed(prompts, repeats[0] + repeats[1], slots)
    if reason or slots is None:
        return {f"{name}.mean": rate_ratio(mine[name], theirs[name], len(prompts), interval_reason=reason) for name in names} | ratios
    sides = [replay(arm.latencies, rows, prompts, concurrency=slots, seed=seed, limits_s=arm.limits_s).resampled for rows in repeats]
    return {
        f"{name}.mean": rate_ratio_of_spread(mine[name], theirs[name], (sides[0][name], sides[1][name]), n=len(prompts)) for name in names
    } | ratios


def rate_ratio(mine: float, theirs: float, n: int, *, interval_reason: str | None) -> Measure:
    """Return the ratio of two rates without an interval; undefined where the base's goodput is 0."""
    if not theirs:
        return Measure(unit="ratio", n=n, reason=BASE_IS_ZERO)
    return Measure(value=mine / theirs, unit="ratio", n=n, interval_reason=interval_reason)


def rate_ratio_of_spread(mine: float, theirs: float, resampled: tuple[Floats, Floats], *, n: int) -> Measure:
    """Return the ratio of two rates with the interval of its spread; no resample of either may be 0."""
    if not theirs or not mine or min(resampled[0].min(), resampled[1].min()) <= 0:
        return rate_ratio(mine, theirs, n, interval_reason=RESAMPLE_IS_ZERO)
    ends = spread_interval(mine / theirs, resampled[0] / resampled[1], n)
    assert ends is not None  # every resample is above 0
    return Measure(value=mine / theirs, unit="ratio", low=ends[0], high=ends[1], n=n)


def steady_ratio(arm: CellRows, base: CellRows, seed: int) -> Measure:
    """Return the ratio of the throughputs of two steady windows, with the spread of tokens over time in slots on common prompts."""
    slots = arm.load.concurrency
    mine, theirs = (steady_rate(side.latencies, side.by_repeat(), slots) for side in (arm, base))
    prompts = np.intersect1d(arm.prompts, base.prompts)
    if mine.tokens_per_s is None or not theirs.tokens_per_s:
        return Measure(unit="ratio", n=len(prompts), reason=mine.reason or theirs.reason or BASE_IS_ZERO)
    if reason := mine.reason or theirs.reason or withheld(len(prompts), 0.5):
        return rate_ratio(mine.tokens_per_s, theirs.tokens_per_s, len(prompts), interval_reason=reason)
    sides = tuple(side.tokens_over_slot_time().among(prompts).resample(seed) for side in (arm, base))
    return rate_ratio_of_spread(mine.tokens_per_s, theirs.tokens_per_s, (sides[0], sides[1]), n=len(prompts))
