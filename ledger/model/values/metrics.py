"""The one table of what a run measures: the key that a run writes, its unit, its words on a page, and its name in claims.

The analysis that fills a run, the rules that may be set on it, the pages that print it and the claims that it is compared
with all read this table; a key that is not here has no name anywhere.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ledger.model.values.units import MeasureUnit

QUANTILES = ("p50", "p95", "p99")
"""Statistics of a latency that a comparison divides."""
LATENCY_STATISTICS = (*QUANTILES, "mean", "min", "max", "count")
STATISTIC_WORDS = {"p50": "median"}
"""Statistics that a page calls otherwise than their key does."""
Need = Literal["open load", "goodput limits"]
"""What a protocol must have before its run has a figure."""
_POSITION = re.compile(r"^acceptance\.position-([1-9]\d*)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One figure of a cell, and of a comparison where it has a ratio."""

    name: str
    """The part of its key before the dot: `tpot`."""
    statistic: str
    """The part after the dot: `p50`."""
    unit: MeasureUnit
    name_words: str
    """Its name on a page, without the statistic: `TPOT`."""
    words: str
    """The whole on a page: `TPOT, median`."""
    heading: str | None = None
    """What a comparison of runs calls it, where that is shorter than `words`."""
    sentence_words: str | None = None
    """What a sentence of a drafted claim calls it; None where no claim is drafted from it."""
    has_ratio: bool = False
    """Whether a comparison of two arms has it."""
    is_pooled_only: bool = False
    """Whether single repeats go without it."""
    is_speed: bool = False
    """Whether failed suites and controls veto a verdict on it."""
    needs: Need | None = None
    claim_name: str
    """What claims call the figure itself: `output-throughput`."""
    ratio_claim_name: str
    """What claims call the ratio of an arm to its base: `throughput-speedup`."""
    is_ratio_inverted: bool = False
    """Whether claims state base over arm: a speed-up is the inverse of a ratio of times."""

    @property
    def key(self) -> str:
        """The key in a run's record."""
        return f"{self.name}.{self.statistic}"


def _latency(
    name: str, words: str, *, claim_name: str | None = None, speedup: str | None = None, sentence_words: str | None = None
) -> Iterator[Metric]:
    """Yield every statistic of one latency; `speedup` is what claims call base over arm."""
    for statistic in LATENCY_STATISTICS:
        yield Metric(
            name=name,
            statistic=statistic,
            unit="count" if statistic == "count" else "s",
            name_words=words,
            words=f"{words}, {STATISTIC_WORDS.get(statistic, statistic)}",
            sentence_words=sentence_words if statistic == "p50" else None,
            has_ratio=statistic in QUANTILES,
            is_speed=True,
            claim_name=claim_name or name,
            ratio_claim_name=speedup or f"{name}-ratio",
            is_ratio_inverted=speedup is not None,
        )


def _metric(
    key: str,
    unit: MeasureUnit,
    words: str,
    *,
    name_words: str | None = None,
    heading: str | None = None,
    sentence_words: str | None = None,
    has_ratio: bool = False,
    is_pooled_only: bool = False,
    is_speed: bool = False,
    needs: Need | None = None,
    claim_name: str | None = None,
    speedup: str | None = None,
) -> Metric:
    name, _, statistic = key.partition(".")
    return Metric(
        name=name,
        statistic=statistic,
        unit=unit,
        name_words=name_words or name.replace("-", " "),
        words=words,
        heading=heading,
        sentence_words=sentence_words,
        has_ratio=has_ratio,
        is_pooled_only=is_pooled_only,
        is_speed=is_speed,
        needs=needs,
        claim_name=claim_name or name,
        ratio_claim_name=speedup or f"{name}-ratio",
    )


_TABLE = (
    *_latency("ttft", "TTFT"),
    *_latency("service-ttft", "service TTFT"),
    *_latency("client-lag", "client lag"),
    *_latency("e2e", "end-to-end", claim_name="end-to-end-latency", speedup="latency-speedup"),
    *_latency("tpot", "TPOT", speedup="output-speedup", sentence_words="median time per output token"),
    *_latency("longest-stall", "longest stall"),
    *_latency("itl", "ITL"),
    *_latency("chunk-gap", "chunk gap"),
    _metric(
        "throughput.mean",
        "tok/s",
        "output throughput, mean",
        name_words="output throughput",
        heading="Output throughput",
        sentence_words="output throughput",
        has_ratio=True,
        is_speed=True,
        claim_name="output-throughput",
        speedup="throughput-speedup",
    ),
    _metric(
        "throughput.steady",
        "tok/s",
        "output throughput, steady",
        name_words="output throughput",
        is_speed=True,
        claim_name="output-throughput",
        speedup="throughput-speedup",
    ),
    _metric("requests-per-s.mean", "req/s", "requests per second", heading="Requests", has_ratio=True, is_speed=True),
    _metric("output-tokens.total", "tokens", "output tokens, total"),
    _metric("prompt-tokens.total", "tokens", "prompt tokens, total"),
    _metric("prefix-cache.hit-share", "share", "prefix cache, hit share", heading="Prefix-cache hits"),
    _metric("acceptance.rate", "share", "acceptance rate", heading="Acceptance", claim_name="acceptance-rate"),
    _metric("acceptance.mean-accepted", "tokens", "tokens accepted per draft"),
    _metric("acceptance.tokens-per-step", "tokens", "tokens per step", heading="Tokens per step"),
    _metric("acceptance.drafted", "tokens", "tokens drafted"),
    _metric("acceptance.accepted", "tokens", "tokens accepted"),
    _metric("acceptance.not-delivered", "tokens", "tokens not delivered"),
    _metric("match.rate", "share", "same text", heading="Same text", has_ratio=True, is_pooled_only=True),
    _metric("match.first-difference", "tokens", "match, first difference", has_ratio=True, is_pooled_only=True),
    _metric("saturation.repeats", "count", "saturation, repeats", needs="open load"),
    _metric("goodput.mean", "req/s", "goodput, mean", heading="Goodput", has_ratio=True, is_speed=True, needs="goodput limits"),
)
METRICS: dict[str, Metric] = {metric.key: metric for metric in _TABLE}
"""Every figure of a cell by its key, but for the acceptance by draft position, whose keys depend on how many tokens are drafted."""
LATENCIES: tuple[str, ...] = tuple(dict.fromkeys(metric.name for metric in _TABLE if metric.statistic == "p50"))
"""Names of the latencies, each with every one of `LATENCY_STATISTICS`."""
SPEED: frozenset[str] = frozenset(metric.name for metric in _TABLE if metric.is_speed)
"""Names of the metrics whose verdicts suites and controls may veto."""

DRILL_WORDS = {
    "left.count": "Clients that left",
    "lost.count": "Requests lost",
    "completed.count": "Requests completed",
    "failed.count": "Requests failed",
    "aborted.count": "Requests aborted",
    "backlog-peak.count": "Largest backlog",
    "release.seconds": "From the fault to free memory",
    "release-idle.seconds": "From the last end to free memory",
    "notice.seconds": "From the fault to its notice",
    "restart.seconds": "Start of a new engine",
    "drain.seconds": "From the last arrival to the last end",
    "ttft.p50": "TTFT, median",
    "ttft.max": "TTFT, largest",
    "probe-before.ttft": "TTFT of a probe before",
    "probe.ttft": "TTFT of a probe after",
    "recovery.seconds": "From the fault to the next answer",
}
"""Every figure of a drill by its key, in words."""

MEMORY_WORDS = {
    "weights": "Weights",
    "kv-cache": "KV cache",
    "kv-cache-tokens": "KV capacity",
    "kv-cache-peak": "Peak KV use",
    "resident-peak": "Resident peak",
    "device": "Device",
}
"""What memory is taken apart into, in the order of a table, in words."""

DEVICE_WORDS = {
    "clock.median": "clock, median",
    "temperature.max": "temperature, highest",
    "power.mean": "power, mean",
    "utilisation.mean": "in use, mean",
    "slowed.share": "samples with a lowered clock",
    "others.mean": "taken by other processes, mean",
    "steal.mean": "taken by a hypervisor, mean",
    "energy-per-token.mean": "energy per output token",
}
"""Figures of a device that pages print, by key without the device, in words; a record has more of them."""


def metric_words(key: str) -> str:
    """Return the words of a figure such as `tpot.p50`: `TPOT, median`; of a key that is in no table, its own parts."""
    if metric := METRICS.get(key):
        return metric.words
    name, _, statistic = (part.replace("-", " ") for part in key.partition("."))
    return f"{name}, {STATISTIC_WORDS.get(statistic, statistic)}" if statistic else name


def name_words(name: str) -> str:
    """Return the words of a metric without its statistic: `tpot` is `TPOT`."""
    return next((metric.name_words for metric in _TABLE if metric.name == name), name.replace("-", " "))


def draft_position(key: str) -> int | None:
    """Return which draft position, from 1, a key such as `acceptance.position-2` speaks of; None for any other key."""
    match = _POSITION.match(key)
    return int(match[1]) if match else None
