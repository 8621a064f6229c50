"""The sample of one metric in one cell: its point statistics, intervals and resampled quantiles."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ledger.analysis.measures.latencies import PER_REQUEST, Latencies, pool_samples, sample_blocks, sample_counts
from ledger.analysis.statistics.bootstrap import MOST_GROUPS, RESAMPLES, BinnedSample, draws, group_prompts, interval, quantile_tails
from ledger.analysis.statistics.quantiles import QUANTILES, needed_n, quantile, quantile_interval
from ledger.analysis.statistics.trace_columns import Floats, Ints

Interval = tuple[float, float]
PROBABILITIES = tuple(QUANTILES.values())


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """What a cell's samples of one metric say; the samples themselves are let go."""

    prompts: Ints
    """Codes of the distinct prompts that gave a sample, ascending."""
    count: int
    """Samples; more than prompts where a prompt was repeated or a request gives several."""
    mean: float
    minimum: float
    maximum: float
    quantiles: dict[str, float]
    intervals: dict[str, Interval | None]
    """The 95 % interval of each quantile, None where the prompts cannot show one."""
    resampled: Floats | None
    """Each resample's p50, p95 and p99, as many as asked for; None where too few prompts for any interval."""

    @property
    def n(self) -> int:
        """Distinct prompts."""
        return len(self.prompts)


def sample(latencies: Latencies, metric: str, rows: Ints, *, seed: int, resamples: int = RESAMPLES) -> Sample | None:
    """Return the sample of a metric in these rows; None where no request has the metric.

    Args:
        latencies: The run's per-request columns.
        metric: A key of `PER_REQUEST`, or `itl` or `chunk-gap`, whose intervals are bootstrapped and take every resample.
        rows: Places of the requests, repeats pooled.
        seed: Of the bootstrap. Samples with the same prompts and seed are resampled alike, which pairs them.
        resamples: How many resampled quantiles a comparison, or the variance between lives, will need; the first of them.
    """
    ordered = pool_samples(latencies, metric, rows)
    if not len(ordered):
        return None
    counts = sample_counts(latencies, metric, rows)
    prompts, place = np.unique(latencies.traces.prompt.codes[rows[counts > 0]], return_inverse=True)
    is_single = metric in PER_REQUEST
    resampled = None
    if len(prompts) >= needed_n(0.5):
        weights = draws(min(len(prompts), MOST_GROUPS), seed)[: resamples if is_single else RESAMPLES]
        resampled = _resample(latencies, metric, rows, ordered=ordered, prompts=prompts, weights=weights)
    if is_single:
        per_prompt = np.bincount(place)
        intervals = {stat: quantile_interval(ordered, per_prompt, p) for stat, p in QUANTILES.items()}
    else:
        intervals = _bootstrap_intervals(resampled, len(prompts))
    return Sample(
        prompts=prompts,
        count=len(ordered),
        mean=float(ordered.mean(dtype=np.float64)),
        minimum=float(ordered[0]),
        maximum=float(ordered[-1]),
        quantiles={stat: quantile(ordered, p) for stat, p in QUANTILES.items()},
        intervals=intervals,
        resampled=resampled,
    )


def _resample(latencies: Latencies, metric: str, rows: Ints, *, ordered: Floats, prompts: Ints, weights: Floats) -> Floats:
    group_of, group_count = group_prompts(len(prompts))
    binned = BinnedSample.of(ordered, _blocks_by_group(latencies, metric, rows, prompts=prompts, group_of=group_of), group_count)
    return binned.quantiles(weights, PROBABILITIES)


def _blocks_by_group(latencies: Latencies, metric: str, rows: Ints, *, prompts: Ints, group_of: Ints) -> Iterator[tuple[Floats, Ints]]:
    for part, samples in sample_blocks(latencies, metric, rows):
        counts = sample_counts(latencies, metric, rows[part])
        some = counts > 0
        groups = group_of[np.searchsorted(prompts, latencies.traces.prompt.codes[rows[part][some]])]
        yield samples, np.repeat(groups, counts[some])


def _bootstrap_intervals(resampled: Floats | None, prompts: int) -> dict[str, Interval | None]:
    intervals: dict[str, Interval | None] = dict.fromkeys(QUANTILES)
    if resampled is not None:
        for column, (stat, probability) in enumerate(QUANTILES.items()):
            if prompts >= needed_n(probability):
                intervals[stat] = interval(resampled[:, column], quantile_tails(prompts, probability))
    return intervals
