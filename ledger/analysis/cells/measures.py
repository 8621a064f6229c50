"""The measures a run record holds, made from samples and quotients: value, interval, n, or the reason for none."""

import numpy as np

from ledger.analysis.measures.output_match import Match
from ledger.analysis.measures.samples import Sample
from ledger.analysis.statistics.quantiles import QUANTILES, needed_n, withheld
from ledger.analysis.statistics.quotients import FEWEST_PROMPTS, Quotient
from ledger.model.records.run import Measure
from ledger.model.values.units import MeasureUnit

NO_MEAN_INTERVAL = "intervals are given for quantiles only"
PROMPTS = "the share of prompts with any, each counted once"
NO_DATA = {
    "e2e": "no data (0 completed)",
    "tpot": "no data (0 intervals)",
    "itl": "no data (0 intervals)",
    "chunk-gap": "no data (0 intervals)",
    "longest-stall": "no data (0 intervals)",
}
EXTREMES_FROM = 0.95
"""Quantiles from here on are not printed where their interval does not exist; the median is, without one."""


def latency_measures(metric: str, sample: Sample | None) -> dict[str, Measure]:
    """Return `metric.p50` to `metric.max` of one latency, in seconds, and `metric.count`, its samples."""
    if sample is None:
        reason = NO_DATA.get(metric, "no data (0 requests with output)")
        missing = Measure(unit="s", n=0, reason=reason)
        return {f"{metric}.{stat}": missing for stat in (*QUANTILES, "mean", "min", "max")} | {
            f"{metric}.count": Measure(value=0, unit="count", n=0)
        }
    measures = {f"{metric}.{stat}": _quantile(sample, stat) for stat in QUANTILES}
    plain = {"mean": sample.mean, "min": sample.minimum, "max": sample.maximum}
    for stat, value in plain.items():
        measures[f"{metric}.{stat}"] = Measure(
            value=value, unit="s", n=sample.n, interval_reason=withheld(sample.n, 0.5) or NO_MEAN_INTERVAL
        )
    measures[f"{metric}.count"] = Measure(value=sample.count, unit="count", n=sample.n)
    return measures


def _quantile(sample: Sample, stat: str) -> Measure:
    probability = QUANTILES[stat]
    short = withheld(sample.n, probability)
    if short and probability >= EXTREMES_FROM:
        return Measure(unit="s", n=sample.n, reason=short)
    bounds = sample.intervals[stat]
    if bounds is None:
        uneven = f"withheld (n = {sample.n}, too unevenly repeated, needs {needed_n(probability)} repeated alike)"
        return Measure(value=sample.quantiles[stat], unit="s", n=sample.n, interval_reason=short or uneven)
    return Measure(value=sample.quantiles[stat], unit="s", low=bounds[0], high=bounds[1], n=sample.n)


def quotient_measure(quotient: Quotient, unit: MeasureUnit, *, undefined: str, seed: int) -> Measure:
    """Return a quotient of sums with its interval, of a share as `share_interval` says; its reason where the denominator is 0."""
    value, is_share = quotient.value, unit == "share"
    if value is None:
        return Measure(unit=unit, n=quotient.n, reason=undefined)
    ends = quotient.share_interval(seed) if is_share else quotient.interval(seed)
    if ends is None:
        return Measure(value=value, unit=unit, n=quotient.n, interval_reason=f"withheld (n = {quotient.n}, needs {FEWEST_PROMPTS})")
    bounds = PROMPTS if is_share and quotient.is_bounded_by_prompts else None
    return Measure(value=value, unit=unit, low=ends[0], high=ends[1], n=quotient.n, interval_of=bounds)


def match_measures(match: Match, *, is_greedy: bool, seed: int, absent: str = "not recorded") -> dict[str, Measure]:
    """Return `match.rate`, and `match.first-difference`: the median first differing position, in tokens from 0.

    Args:
        match: The compared outputs.
        is_greedy: Whether sampling was greedy; otherwise outputs differ by design and nothing is said.
        seed: Of the bootstrap.
        absent: The reason where there is nothing to compare.
    """
    if not is_greedy or match.rate is None:
        reason = absent if is_greedy else "undefined (sampled, not greedy)"
        return {
            "match.rate": Measure(unit="share", n=0, reason=reason),
            "match.first-difference": Measure(unit="tokens", n=0, reason=reason),
        }
    quotient = Quotient.of(match.prompts, match.is_same.astype(np.float64), np.ones(len(match.is_same)))
    rate = quotient_measure(quotient, "share", undefined=absent, seed=seed)
    return {"match.rate": rate, "match.first-difference": _first_difference(match, quotient.n)}


def _first_difference(match: Match, n: int) -> Measure:
    if match.is_same.all():
        return Measure(unit="tokens", n=n, reason="undefined (0 differences)")
    if not len(match.first_differences):
        return Measure(unit="tokens", n=n, reason="not recorded")
    return Measure(value=float(np.median(match.first_differences)), unit="tokens", n=n, interval_reason="over the differing outputs only")
