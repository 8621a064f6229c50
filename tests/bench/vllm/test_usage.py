"""The peak of the KV cache's use over an engine's life."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from ledger.bench.vllm.usage import PeakUsage, peak_usage_logger


@pytest.fixture(autouse=True)
def loggers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module in which vLLM keeps the loggers' base class, without loading vLLM."""
    module = ModuleType("vllm.v1.metrics.loggers")
    module.StatLoggerBase = type("StatLoggerBase", (), {})  # type: ignore[attr-defined]  # a module made here
    for name in ("vllm", "vllm.v1", "vllm.v1.metrics"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, module.__name__, module)


def test_the_largest_share_stays() -> None:
    usage = PeakUsage()
    logger = peak_usage_logger(usage)(SimpleNamespace(), 0)
    assert usage.kv_cache_share is None
    logger.log_engine_initialized()
    for share in (0.25, 0.75, 0.5):
        logger.record(SimpleNamespace(kv_cache_usage=share), None, engine_idx=0)
    logger.record(None, None)
    assert usage.kv_cache_share == 0.75


def test_each_engine_has_its_own_peak() -> None:
    first, second = PeakUsage(), PeakUsage()
    peak_usage_logger(first)().record(SimpleNamespace(kv_cache_usage=0.5))
    assert (first.kv_cache_share, second.kv_cache_share) == (0.5, None)
