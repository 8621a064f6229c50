"""The peak of the KV cache's use over an engine's life."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from ledger.bench.vllm.usage import Counts, EngineUsage, usage_logger


@pytest.fixture(autouse=True)
def loggers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module in which vLLM keeps the loggers' base class, without loading vLLM."""
    module = ModuleType("vllm.v1.metrics.loggers")
    module.StatLoggerBase = type("StatLoggerBase", (), {})  # type: ignore[attr-defined]  # a module made here
    for name in ("vllm", "vllm.v1", "vllm.v1.metrics"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, module.__name__, module)


def step(share: float = 0.0, running: int = 0) -> SimpleNamespace:
    """What the scheduler tells of a step."""
    return SimpleNamespace(kv_cache_usage=share, num_running_reqs=running)


def ended(*queued_s: float, preempted: int = 0) -> SimpleNamespace:
    """What a step tells of requests that ended in it."""
    return SimpleNamespace(num_preempted_reqs=preempted, finished_requests=[SimpleNamespace(queued_time=one) for one in queued_s])


def test_the_largest_share_stays() -> None:
    usage = EngineUsage()
    logger = usage_logger(usage)(SimpleNamespace(), 0)
    assert usage.kv_cache_share is None
    logger.log_engine_initialized()
    for share in (0.25, 0.75, 0.5):
        logger.record(step(share), None, engine_idx=0)
    logger.record(None, None)
    assert usage.kv_cache_share == 0.75


def test_each_engine_has_its_own_peak() -> None:
    first, second = EngineUsage(), EngineUsage()
    usage_logger(first)().record(step(0.5))
    assert (first.kv_cache_share, second.kv_cache_share) == (0.5, None)


def test_batch_sizes_preemptions_and_waits_are_counted_over_the_steps_with_work() -> None:
    usage = EngineUsage()
    logger = usage_logger(usage)()
    for running, of_step in ((2, ended()), (0, ended()), (6, ended(0.5, preempted=2)), (4, ended(0.1, 0.2))):
        logger.record(step(running=running), of_step)
    found = {key: (measure.value, measure.unit, measure.n) for key, measure in usage.counts.measures().items()}
    assert found == {
        "engine.batch-size.mean": (4.0, "count", 3),
        "engine.batch-size.max": (6.0, "count", 3),
        "engine.preemptions.total": (2.0, "count", 3),
        "engine.queue-time.p50": (0.2, "s", 3),
        "engine.queue-time.max": (0.5, "s", 3),
    }


def test_an_engine_that_ran_nothing_tells_nothing() -> None:
    assert Counts().measures() == {}
