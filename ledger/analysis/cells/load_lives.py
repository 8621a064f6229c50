"""What the engine lives of one load say of each statistic, and how that widens the interval of a cell or a ratio."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from ledger.analysis.cells.cell_rows import CellRows, Samples
from ledger.analysis.measures.acceptance import Acceptance, request_counts
from ledger.analysis.measures.replay import Replay, rates, replay, why_not_replayed
from ledger.analysis.measures.throughput import steady_rate
from ledger.analysis.statistics.lives import LIFE_RESAMPLES, LifeVariance, Lives, closed_variance, open_variance, widen_interval
from ledger.analysis.statistics.quantiles import QUANTILES
from ledger.analysis.statistics.quotients import Quotient
from ledger.analysis.statistics.trace_columns import Floats, Ints
from ledger.model.records.run import Cell, Comparison, Measure

ONE_LIFE = "withheld (1 repeat: what differs between engine lives is not known)"
NO_LOGARITHM = "undefined (0 has no logarithm)"
COUNTED = ("acceptance.", "prefix-cache.", "match.", "output-length.")
"""Metrics that count what the engine did and not how long it took: with one life they keep the interval of their prompts."""


@dataclass(frozen=True, slots=True)
class LoadLives:
    """The lives of every arm at one load."""

    by_key: Mapping[str, Mapping[str, Lives]] = field(default_factory=dict)
    """Key `metric.stat` to arm to its lives."""
    is_open: bool = False

    @classmethod
    def of(cls, arms: Mapping[str, Mapping[int, tuple[CellRows, Samples]]], seed: int) -> "LoadLives":
        """Return what lives say of a load.

        Args:
            arms: Arm to repeat to the repeat's requests and their samples.
            seed: The seed of those samples.
        """
        found = {arm: dict(arm_lives(estimates(repeats, seed))) for arm, repeats in arms.items()}
        keys = dict.fromkeys(key for lives in found.values() for key in lives)
        by_key = {key: {arm: lives[key] for arm, lives in found.items() if key in lives} for key in keys}
        return cls(by_key, is_open=any(rows.load.kind == "open" for repeats in arms.values() for rows, _ in repeats.values()))

    def variance(self, key: str, *arms: str) -> LifeVariance | None:
        """Return the variance between lives of a statistic of one arm, or of two that are compared; None where it is not known."""
        lives = self.by_key.get(key, {})
        return open_variance(lives, *arms) if self.is_open else closed_variance(lives, *arms)

    def widen(self, key: str, measure: Measure, repeats: Mapping[str, int]) -> Measure:
        """Return a measure whose interval, so far of its prompts alone, holds what differs between lives too.

        Args:
            key: `metric.stat`.
            measure: Of a cell, or a ratio.
            repeats: The arm, or the two compared, and how many lives of each are behind the measure.
        """
        if measure.low is None or measure.high is None or measure.value is None:
            return measure
        is_count = key.startswith(COUNTED)
        if measure.value <= 0:
            return measure if is_count else without_interval(measure, NO_LOGARITHM)
        variance = self.variance(key, *repeats)
        if variance is None:
            return measure if is_count else without_interval(measure, ONE_LIFE)
        low, high = widen_interval(measure.value, (measure.low, measure.high), variance.half_width(*repeats.values()))
        return measure.model_copy(update={"low": low, "high": min(high, 1.0) if measure.unit == "share" else high})


def widen_cell(lives: LoadLives, cell: Cell, repeats: int) -> Cell:
    """Return a cell with every interval widened by what differs between lives, of which so many are behind it."""
    return cell.model_copy(update={"metrics": {key: lives.widen(key, one, {cell.arm: repeats}) for key, one in cell.metrics.items()}})


def widen_comparison(lives: LoadLives, comparison: Comparison, repeats: Mapping[str, int]) -> Comparison:
    """Return a comparison with every interval widened; `repeats` says how many lives each of its two arms has."""
    counts = {arm: repeats[arm] for arm in (comparison.arm, comparison.base)}
    return comparison.model_copy(update={"metrics": {key: lives.widen(key, one, counts) for key, one in comparison.metrics.items()}})


def without_interval(measure: Measure, reason: str) -> Measure:
    """Return a measure without its interval; one without a value stays as it is."""
    return measure.model_copy(update={"low": None, "high": None, "interval_reason": reason}) if measure.value is not None else measure


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """What one life says of one statistic, be its prompts too few to print it."""

    value: float | None
    prompts: Ints
    """Codes of the distinct prompts behind it, ascending."""
    resampled: Floats | None
    """The same in `LIFE_RESAMPLES` resamples of those prompts; None where they are too few."""


Estimates = Mapping[str, Estimate]
"""Key `metric.stat` to what one life says of it."""


def arm_lives(lives: Mapping[int, Estimates]) -> Iterator[tuple[str, Lives]]:
    """Yield every statistic of an arm by its key, with what each of its lives, by repeat, says of it.

    Resamples count only where all lives have the same prompts: else they are not drawn alike, and their difference says
    nothing.
    """
    for key in dict.fromkeys(key for life in lives.values() for key in life):
        found = {repeat: life[key] for repeat, life in lives.items() if key in life}
        first = next(iter(found.values()))
        is_alike = all(np.array_equal(one.prompts, first.prompts) for one in found.values())
        resampled = {repeat: one.resampled for repeat, one in found.items() if is_alike and one.resampled is not None}
        yield key, Lives.of({repeat: one.value for repeat, one in found.items()}, resampled)


def estimates(repeats: Mapping[int, tuple[CellRows, Samples]], seed: int) -> dict[int, Estimates]:
    """Return what every life of an arm says of every statistic, by repeat.

    Args:
        repeats: Repeat to its requests and their samples.
        seed: Of the resamples.
    """
    prompts = np.unique(np.concatenate([rows.prompts for rows, _ in repeats.values()]))
    return {
        repeat: dict(latency_estimates(samples)) | dict(rate_estimates(rows, prompts, seed)) | dict(acceptance_estimates(rows, seed))
        for repeat, (rows, samples) in repeats.items()
    }


def latency_estimates(samples: Samples) -> Iterator[tuple[str, Estimate]]:
    """Yield the quantiles of one life."""
    for metric, sample in samples.items():
        for column, stat in enumerate(QUANTILES):
            if sample is not None:
                resampled = None if sample.resampled is None else sample.resampled[:LIFE_RESAMPLES, column]
                yield f"{metric}.{stat}", Estimate(sample.quantiles[stat], sample.prompts, resampled)


def rate_estimates(rows: CellRows, prompts: Ints, seed: int) -> Iterator[tuple[str, Estimate]]:
    """Yield the rates of one life; a closed loop is replayed with `prompts`, those of all lives of the arm, drawn anew."""
    repeat, slots = rows.by_repeat(), rows.load.concurrency
    played: Replay | None = None
    if slots is not None and why_not_replayed(prompts, repeat, slots) is None:
        played = replay(rows.latencies, repeat, prompts, concurrency=slots, seed=seed, limits_s=rows.limits_s, resamples=LIFE_RESAMPLES)
    for name, value in (rates(rows.latencies, repeat, rows.limits_s) or {}).items():
        resampled = _about(value, played.resampled[name], played.original[name]) if played else None
        yield f"{name}.mean", Estimate(value, prompts, resampled)
    steady, quotient = steady_rate(rows.latencies, repeat, slots), rows.tokens_over_slot_time()
    if steady.tokens_per_s is not None and quotient.value:
        resampled = _about(steady.tokens_per_s, quotient.resample(seed, LIFE_RESAMPLES), quotient.value)
        yield "throughput.steady", Estimate(steady.tokens_per_s, quotient.prompts, resampled)


def acceptance_estimates(rows: CellRows, seed: int) -> Iterator[tuple[str, Estimate]]:
    """Yield the acceptance of one life."""
    acceptance = Acceptance(request_counts(rows.latencies, rows.rows))
    codes = rows.latencies.traces.prompt.codes[acceptance.counts.rows]
    for name, (above, below, _) in acceptance.quotients().items():
        quotient = Quotient.of(codes, above, below)
        resampled = quotient.resample(seed, LIFE_RESAMPLES) if quotient.n else None
        yield f"acceptance.{name}", Estimate(quotient.value, quotient.prompts, resampled)


def _about(value: float, resampled: Floats, original: float) -> Floats | None:
    """Return resamples of a stand-in moved to the figure itself; None where the stand-in was 0."""
    return resampled / original * value if original else None
