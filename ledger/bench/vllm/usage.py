"""Peak use of the KV cache, from the figures that vLLM's scheduler gives at every step."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class PeakUsage:
    """The largest values seen so far."""

    kv_cache_share: float | None = None
    """Share of the KV cache's blocks in use, 0 to 1; None before the first step."""


def peak_usage_logger(usage: PeakUsage) -> Callable[..., Any]:
    """Return a factory of vLLM stat loggers that raise `usage`; the class exists only once vLLM is loaded."""
    from vllm.v1.metrics.loggers import StatLoggerBase

    class PeakUsageLogger(StatLoggerBase):  # type: ignore[misc]  # vLLM is not followed by the type checker
        """Keeps one maximum and nothing else, since it runs between two tokens."""

        def __init__(self, *_settings: Any) -> None:
            """Takes what vLLM passes; nothing of it is needed."""

        def record(self, scheduler_stats: Any, *_others: Any, **_named: Any) -> None:
            """Raise the maximum."""
            if scheduler_stats is not None and scheduler_stats.kv_cache_usage > (usage.kv_cache_share or 0.0):
                usage.kv_cache_share = scheduler_stats.kv_cache_usage

        def log_engine_initialized(self) -> None:
            """Nothing to say."""

    return PeakUsageLogger
