"""Saturation of an open load: both signs must be there, few requests decide nothing, and an idle server is never accused."""

import os
from decimal import Decimal

import numpy as np
import pytest

from ledger.analysis.cells.cell import saturation_measures
from ledger.analysis.measures.saturation import saturation
from ledger.model.records.protocol import Load
from ledger.model.trace import RequestTrace
from tests.analysis.recorded import cell_of, failed, latencies_of, request

OPEN = Load(id="c8", kind="open", rate_per_s=Decimal(10), arrivals="poisson", requests=300)
TRIALS = 1000 if os.environ.get("LEDGER_SLOW") else 200


def queue(arrivals: np.ndarray, service_s: float) -> list[RequestTrace]:
    """Return the requests of one server that takes them in order, one at a time."""
    free, found = 0.0, []
    for i, arrival in enumerate(arrivals.tolist()):
        free = max(free, arrival) + service_s
        found.append(request(f"p{i}", index=i, scheduled_s=arrival, chunks_s=(free,)))
    return found


def answer(requests: list[RequestTrace]) -> bool | None:
    """Return whether these requests saturated their server."""
    return saturation(latencies_of(requests), np.arange(len(requests))).is_saturated


def test_a_server_asked_for_twice_its_capacity_is_saturated() -> None:
    found = saturation(latencies_of(queue(np.arange(300) * 0.1, 0.2)), np.arange(300))
    assert found.is_saturated
    assert found.arrivals == 200  # after a third of the window of 29.9 s, up to its end
    assert found.departures == 100
    assert found.backlog_growth == 100


def test_a_server_with_room_is_not() -> None:
    assert answer(queue(np.arange(300) * 0.1, 0.09)) is False


def test_a_long_but_steady_backlog_is_not() -> None:
    late = [request(f"p{i}", index=i, scheduled_s=i * 0.1, chunks_s=(i * 0.1 + 4,)) for i in range(300)]
    assert answer(late) is False


def test_few_requests_decide_nothing() -> None:
    cell = cell_of(queue(np.arange(199) * 0.1, 0.5), OPEN)
    assert saturation_measures(cell)["saturation.repeats"].reason == "not decided (199 requests, needs 200)"


def test_failures_never_depart() -> None:
    mixed = [
        failed(f"p{i}", index=i, scheduled_s=i * 0.1)
        if i % 4 == 0
        else request(f"p{i}", index=i, scheduled_s=i * 0.1, chunks_s=(i * 0.1 + 0.01,))
        for i in range(400)
    ]
    assert answer(mixed) is True


@pytest.mark.parametrize("load", [0.05, 0.5])
def test_short_poisson_runs_of_an_idle_server_raise_no_alarm(load: float) -> None:
    chance = np.random.default_rng(4)
    alarms = sum(answer(queue(np.cumsum(chance.exponential(0.1, 200)), 0.1 * load)) is True for _ in range(TRIALS))
    assert alarms <= 0.01 * TRIALS
