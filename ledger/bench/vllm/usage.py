"""What vLLM's scheduler tells at every step: peak use of the KV cache, batch size, preemptions, and how long requests waited."""

from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from ledger.model.records.run import Measure


@dataclass(slots=True)
class Counts:
    """What happened since a cell's first measured request."""

    steps: int = 0
    """With at least one request running."""
    running: int = 0
    """Requests that ran, summed over the steps."""
    most_running: int = 0
    preemptions: int = 0
    queued_s: list[float] = field(default_factory=list)
    """How long each request that has ended waited to be scheduled first."""

    def measures(self) -> dict[str, Measure]:
        """Return the figures under `engine`; nothing where no step was seen."""
        if not self.steps:
            return {}
        found = {
            "engine.batch-size.mean": Measure(value=self.running / self.steps, unit="count", n=self.steps),
            "engine.batch-size.max": Measure(value=self.most_running, unit="count", n=self.steps),
            "engine.preemptions.total": Measure(value=self.preemptions, unit="count", n=self.steps),
        }
        if self.queued_s:
            found["engine.queue-time.p50"] = Measure(value=median(self.queued_s), unit="s", n=len(self.queued_s))
            found["engine.queue-time.max"] = Measure(value=max(self.queued_s), unit="s", n=len(self.queued_s))
        return found


@dataclass(slots=True)
class EngineUsage:
    """What one engine life used."""

    kv_cache_share: float | None = None
    """The largest share of the KV cache's blocks in use, 0 to 1; None before the first step."""
    counts: Counts = field(default_factory=Counts)


def usage_logger(usage: EngineUsage) -> Callable[..., Any]:
    """Return a factory of vLLM stat loggers that write to `usage`; the class exists only once vLLM is loaded."""
    from vllm.v1.metrics.loggers import StatLoggerBase

    class UsageLogger(StatLoggerBase):  # type: ignore[misc]  # vLLM is not followed by the type checker
        """Keeps a few sums and maxima, and one number a request, since it runs between two tokens."""

        def __init__(self, *_settings: Any) -> None:
            """Takes what vLLM passes; nothing of it is needed."""

        def record(self, scheduler_stats: Any, iteration_stats: Any = None, *_others: Any, **_named: Any) -> None:
            """Take a step over."""
            if scheduler_stats is not None:
                count_step(usage, scheduler_stats)
            if iteration_stats is not None:
                count_requests(usage.counts, iteration_stats)

        def log_engine_initialized(self) -> None:
            """Nothing to say."""

    return UsageLogger


def count_step(usage: EngineUsage, scheduler_stats: Any) -> None:
    """Raise the maxima and sums by one step of the scheduler."""
    usage.kv_cache_share = max(usage.kv_cache_share or 0.0, scheduler_stats.kv_cache_usage)
    if running := scheduler_stats.num_running_reqs:
        counts = usage.counts
        counts.steps += 1
        counts.running += running
        counts.most_running = max(counts.most_running, running)


def count_requests(counts: Counts, iteration_stats: Any) -> None:
    """Add the requests that were set aside in a step, and the waits of those that ended."""
    counts.preemptions += iteration_stats.num_preempted_reqs
    counts.queued_s += [request.queued_time for request in iteration_stats.finished_requests]
