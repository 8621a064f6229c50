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

    key: str
    """In a run's record: the metric's name, a dot, and the statistic."""
    unit: MeasureUnit
    words: str
    """The whole on a page: `TPOT, median`."""
    stated_name_words: str | None = None
    """Its name on a page without the statistic, where that is not its name with spaces: `TPOT`."""
    heading: str | None = None
    """What a comparison of runs calls it, where that is shorter than `words`."""
    sentence_words: str | None = None
    """What a sentence of a drafted claim calls it; None where no claim is drafted from it."""
    has_ratio: bool = False
    """Whether a comparison of two arms has it."""
    is_pooled_only: bool = False
    """Whether single repeats go without it."""
    is_ratio_only: bool = False
    """Whether only comparisons have it."""
    is_speed: bool = False
    """Whether failed suites and controls veto a verdict on it."""
    needs: Need | None = None
    claimed_as: str | None = None
    """What claims call the figure itself, where that is not its name: `output-throughput`."""
    speedup_claimed_as: str | None = None
    """What claims call the gain of an arm over its base: `throughput-speedup`; None where they have no name for it."""
    is_speedup_inverse: bool = False
    """Whether that gain is base over arm, as for times; ratios of ours are always arm over base."""

    @property
    def name(self) -> str:
        """The part of its key before the dot: `tpot`."""
        return self.key.partition(".")[0]

    @property
    def statistic(self) -> str:
        """The part of its key after the dot: `p50`."""
        return self.key.partition(".")[2]

    @property
    def name_words(self) -> str:
        """Its name on a page, without the statistic."""
        return self.stated_name_words or self.name.replace("-", " ")

    @property
    def claim_name(self) -> str:
        """What claims call the figure itself."""
        return self.claimed_as or self.name

    @property
    def ratio_claim_name(self) -> str:
        """What claims call the ratio of an arm to its base."""
        return self.speedup_claimed_as or f"{self.name}-ratio"


def _latency(
    name: str, words: str, *, claimed_as: str | None = None, speedup: str | None = None, sentence_words: str | None = None
) -> Iterator[Metric]:
    """Yield every statistic of one latency."""
    for statistic in LATENCY_STATISTICS:
        yield Metric(
            key=f"{name}.{statistic}",
            unit="count" if statistic == "count" else "s",
            words=f"{words}, {STATISTIC_WORDS.get(statistic, statistic)}",
            stated_name_words=words,
            sentence_words=sentence_words if statistic == "p50" else None,
            has_ratio=statistic in QUANTILES,
            is_speed=True,
            claimed_as=claimed_as,
            speedup_claimed_as=speedup,
            is_speedup_inverse=speedup is not None,
        )


_TABLE = (
    *_latency("ttft", "TTFT"),
    *_latency("service-ttft", "service TTFT"),
    *_latency("client-lag", "client lag"),
    *_latency("e2e", "end-to-end", claimed_as="end-to-end-latency", speedup="latency-speedup"),
    *_latency("tpot", "TPOT", speedup="output-speedup", sentence_words="median time per output token"),
    *_latency("longest-stall", "longest stall"),
    *_latency("itl", "ITL"),
    *_latency("chunk-gap", "chunk gap"),
    Metric(
        key="throughput.mean",
        unit="tok/s",
        words="throughput, mean",
        stated_name_words="output throughput",
        heading="Output throughput",
        sentence_words="output throughput",
        has_ratio=True,
        is_speed=True,
        claimed_as="output-throughput",
        speedup_claimed_as="throughput-speedup",
    ),
    Metric(
        key="throughput.steady",
        unit="tok/s",
        words="throughput, steady",
        stated_name_words="output throughput",
        heading="Steady throughput",
        has_ratio=True,
        is_speed=True,
        claimed_as="output-throughput",
        speedup_claimed_as="throughput-speedup",
    ),
    Metric(key="requests-per-s.mean", unit="req/s", words="requests per second", heading="Requests", has_ratio=True, is_speed=True),
    Metric(key="output-tokens.total", unit="tokens", words="output tokens, total"),
    Metric(key="prompt-tokens.total", unit="tokens", words="prompt tokens, total"),
    Metric(key="prefix-cache.hit-share", unit="share", words="prefix cache, hit share", heading="Prefix-cache hits"),
    Metric(key="acceptance.rate", unit="share", words="acceptance rate", heading="Acceptance", claimed_as="acceptance-rate"),
    Metric(key="acceptance.mean-accepted", unit="tokens", words="tokens accepted per draft"),
    Metric(key="acceptance.tokens-per-step", unit="tokens", words="tokens produced per step", heading="Tokens produced per step"),
    Metric(key="acceptance.delivered-per-step", unit="tokens", words="tokens delivered per step", heading="Tokens delivered per step"),
    Metric(key="acceptance.any-accepted", unit="share", words="prompts with any token accepted"),
    Metric(key="acceptance.drafted", unit="tokens", words="tokens drafted"),
    Metric(key="acceptance.accepted", unit="tokens", words="tokens accepted"),
    Metric(key="acceptance.not-delivered", unit="tokens", words="tokens not delivered"),
    Metric(key="match.rate", unit="share", words="same text", heading="Same text", has_ratio=True, is_pooled_only=True),
    Metric(key="match.first-difference", unit="tokens", words="match, first difference", has_ratio=True, is_pooled_only=True),
    Metric(key="output-length.mean", unit="ratio", words="output length", has_ratio=True, is_ratio_only=True),
    Metric(key="burst.index", unit="share", words="burst index", heading="Burst index"),
    Metric(key="saturation.repeats", unit="count", words="saturation, repeats", needs="open load"),
    Metric(
        key="goodput.mean",
        unit="req/s",
        words="goodput, mean",
        heading="Goodput",
        has_ratio=True,
        is_speed=True,
        needs="goodput limits",
    ),
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
    "loop-lag.p95": "event loop late, 95 % of the time at most",
    "loop-lag.max": "event loop late, at most",
    "own-work.share": "time taken by its own work",
    "stagger.total": "slots started over",
    "queue-time.p50": "wait in the queue, median",
    "queue-time.max": "wait in the queue, longest",
    "preemptions.total": "requests set aside for others",
    "batch-size.mean": "requests in a step, mean",
    "batch-size.max": "requests in a step, most",
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
