"""Rates of a closed loop: the replay of what was is what was, and it ends with the slowest of the last requests."""

import numpy as np
import pytest

from ledger.analysis.measures.replay import rates, replay, why_not_replayed
from ledger.model.trace import RequestTrace
from tests.analysis.recorded import latencies_of, request


def slots(durations_s: list[float], concurrency: int, prompts: list[str] | None = None) -> list[RequestTrace]:
    """Return the requests of a closed loop, each of five tokens, that lasted so long, in order."""
    free, found = [0.0] * concurrency, []
    for i, duration in enumerate(durations_s):
        slot = free.index(min(free))
        start = free[slot]
        free[slot] = start + duration
        name = prompts[i] if prompts else f"p{i}"
        found.append(request(name, index=i, scheduled_s=start, chunks_s=(start + duration / 2, start + duration), chunk_tokens=(1, 4)))
    return found


def test_the_replay_of_the_requests_as_they_were_gives_the_rates_that_were() -> None:
    durations = [1.0, 2.5, 0.5, 3.0, 1.5, 0.25, 2.0, 4.0, 1.0, 0.5, 7.0, 2.0]  # p10 and p11 sort before p2
    latencies = latencies_of(slots(durations, 3))
    rows = [latencies.traces.rows()]
    found = replay(latencies, rows, np.arange(12), concurrency=3, seed=1)
    assert found.original == pytest.approx(rates(latencies, rows))
    assert found.resampled["throughput"].shape == (2000,)


def test_prompts_sent_again_are_replayed_as_a_second_turn() -> None:
    durations = [1.0, 2.0, 3.0, 1.0, 2.0]
    latencies = latencies_of(slots(durations, 2, ["p0", "p1", "p2", "p0", "p1"]))
    rows = [latencies.traces.rows()]
    found = replay(latencies, rows, np.arange(3), concurrency=2, seed=1)
    assert found.original == pytest.approx(rates(latencies, rows))


def test_one_slot_draws_a_quotient_of_sums() -> None:
    """Without parallel slots a resample's time is the sum of its prompts' times."""
    durations = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]
    latencies = latencies_of(slots(durations, 1))
    found = replay(latencies, [latencies.traces.rows()], np.arange(6), concurrency=1, seed=3)
    drawn = np.random.default_rng(3).integers(0, 6, size=(2000, 6))
    assert found.resampled["throughput"] == pytest.approx(30 / np.asarray(durations)[drawn].sum(axis=1))


def test_where_no_replay_is_made_it_is_said() -> None:
    rows = [np.arange(96)]
    assert why_not_replayed(np.arange(5), rows, 8) == "withheld (n = 5, needs 6)"
    assert why_not_replayed(np.arange(96), rows, None) == "open loop: the rate follows the arrivals"
    assert why_not_replayed(np.arange(96), [np.arange(100_000)], 64) == "too many requests to replay"
    assert why_not_replayed(np.arange(96), rows, 8) is None
