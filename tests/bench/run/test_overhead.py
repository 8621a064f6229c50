"""What the runner costs: its own share of the time, and how late its loop is."""

import asyncio
import time

import pytest

from ledger.bench.engine.clock import RunClock, SystemClock
from ledger.bench.run.overhead import Overhead, lag_measures
from tests.bench.virtual_time import VirtualClock


def test_own_work_counts_from_the_first_measured_request_as_a_share_of_the_time() -> None:
    """One second of own work before, then 0.2 of 4 seconds."""
    clock, own = VirtualClock(), [1.0]
    overhead = Overhead(RunClock.starting_at(clock), lambda: own[0])
    assert overhead.measures(8) == {}
    overhead.begin()
    clock.seconds += 2
    overhead.begin()  # the second measured request
    clock.seconds += 2
    own[0] += 0.2
    found = overhead.measures(8)
    assert {key: (measure.unit, measure.n) for key, measure in found.items()} == {
        "runner.own-work.total": ("s", 8),
        "runner.own-work.share": ("share", 8),
    }
    assert [measure.value for measure in found.values()] == pytest.approx([0.2, 0.05])


def test_a_loop_that_is_held_up_is_late() -> None:
    async def held_up() -> Overhead:
        overhead = Overhead(RunClock.starting_at(SystemClock()), lambda: 0.0)
        overhead.begin()
        await asyncio.sleep(0.1)
        time.sleep(0.3)
        await asyncio.sleep(0.1)
        overhead.stop()
        return overhead

    found = asyncio.run(held_up()).measures(1)
    assert found["runner.loop-lag.max"].value is not None
    assert 0.15 < found["runner.loop-lag.max"].value < 5
    assert found["runner.loop-lag.max"].n >= 3


def test_lags_are_told_by_their_95_percent_quantile_and_the_largest() -> None:
    found = lag_measures([0.001 * number for number in range(101)])
    assert {key: measure.value for key, measure in found.items()} == {
        "runner.loop-lag.p95": pytest.approx(0.095),
        "runner.loop-lag.max": pytest.approx(0.1),
    }
    assert lag_measures([]) == {}
