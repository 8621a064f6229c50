"""What the intervals promise, simulated: in 100 trials here, in 1,000 with LEDGER_SLOW=1 (and then strictly within 93 to 99 %).

Each figure is printed; `pytest -rA` shows them.
"""

import heapq
import os
from math import exp, sqrt
from statistics import NormalDist

import numpy as np
import pytest

from ledger.analysis.cells.cell_rows import CellRows
from ledger.analysis.cells.measures import latency_measures
from ledger.analysis.cells.paired_ratios import rate_ratios, ratio
from ledger.analysis.cells.summary import Summary
from ledger.analysis.measures.latencies import Latencies
from ledger.analysis.measures.samples import Sample, sample
from ledger.analysis.statistics.variance import is_control_broken, is_difference, noise_floor
from ledger.model.records.protocol import Load
from ledger.model.records.run import Cell, Comparison, Measure
from ledger.model.trace import RequestTrace
from tests.analysis.recorded import latencies_of, protocol, request, simulated

IS_FULL = bool(os.environ.get("LEDGER_SLOW"))
TRIALS = 1000 if IS_FULL else 100
SLACK = 0.0 if IS_FULL else 3 * sqrt(0.93 * 0.07 / TRIALS)
SWEEP = (pytest.mark.slow, pytest.mark.skipif(not IS_FULL, reason="a sweep that runs with LEDGER_SLOW=1"))
SCALE = 0.5


def assert_covers(hits: int) -> None:
    """Assert that so many of the trials' intervals held the truth as a 95 % interval should."""
    share = hits / TRIALS
    print(f"covered in {share:.1%} of {TRIALS} trials")
    assert 0.93 - SLACK <= share <= 0.99 + SLACK, f"covered in {share:.1%}"


def log_normal(
    chance: np.random.Generator, prompts: int, repeats: int, tokens: int, dominance: float, own: np.ndarray | None = None
) -> np.ndarray:
    """Return samples whose log has a standard deviation of SCALE, a share `dominance` of its variance decided by the prompt."""
    shared = chance.standard_normal((prompts, 1, 1)) if own is None else own
    noise = chance.standard_normal((prompts, repeats, tokens))
    return np.asarray(np.exp(SCALE * (sqrt(dominance) * shared + sqrt(1 - dominance) * noise)))


def requests_of(gaps: np.ndarray, arm: str = "base") -> list[RequestTrace]:
    """Return requests with these gaps between chunks; shape (prompts, repeats, gaps)."""
    prompts, repeats, _ = gaps.shape
    times = np.cumsum(np.concatenate((np.ones((prompts, repeats, 1)), gaps), axis=2), axis=2)
    return [
        request(f"p{i}", arm=arm, repeat=r + 1, index=i, chunks_s=tuple(times[i, r].tolist()))
        for i in range(prompts)
        for r in range(repeats)
    ]


def sampled(latencies: Latencies, metric: str, arm: str = "base", repeat: int | None = None) -> Sample:
    """Return the sample of a metric in one arm."""
    found = sample(latencies, metric, latencies.traces.rows(arm, "c8", repeat), seed=1, resample=repeat is None)
    assert found is not None
    return found


def truth(probability: float) -> float:
    """The quantile of `log_normal`'s population."""
    return exp(SCALE * NormalDist().inv_cdf(probability))


@pytest.mark.parametrize(
    ("prompts", "repeats", "dominance"),
    [
        (96, 1, 0.0),
        (96, 2, 1.0),
        pytest.param(96, 1, 1.0, marks=SWEEP),
        pytest.param(96, 2, 0.95, marks=SWEEP),
        pytest.param(24, 2, 1.0, marks=SWEEP),
        pytest.param(96, 5, 1.0, marks=SWEEP),
    ],
)
@pytest.mark.parametrize("stat", ["p50", "p95"])
def test_a_per_request_quantile_is_covered(stat: str, prompts: int, repeats: int, dominance: float) -> None:
    """Two repeats that prompts do not decide are covered more often still: n counts prompts, which is cautious there."""
    if stat == "p95" and prompts < 72:
        prompts = 72
    chance, hits = np.random.default_rng(prompts), 0
    for _ in range(TRIALS):
        bounds = sampled(latencies_of(requests_of(log_normal(chance, prompts, repeats, 1, dominance))), "tpot").intervals[stat]
        assert bounds is not None
        hits += bounds[0] <= truth({"p50": 0.5, "p95": 0.95}[stat]) <= bounds[1]
    assert_covers(hits)


@pytest.mark.parametrize(
    ("dominance", "prompts", "stat"),
    [
        (0.95, 24, "p50"),
        (0.95, 96, "p95"),
        pytest.param(0.95, 96, "p50", marks=SWEEP),
        pytest.param(0.1, 24, "p50", marks=SWEEP),
        pytest.param(0.1, 96, "p50", marks=SWEEP),
        pytest.param(0.1, 96, "p95", marks=SWEEP),
    ],
)
def test_pooled_itl_is_covered(dominance: float, prompts: int, stat: str) -> None:
    chance, hits = np.random.default_rng(prompts), 0
    for _ in range(TRIALS):
        bounds = sampled(latencies_of(requests_of(log_normal(chance, prompts, 2, 10, dominance))), "itl").intervals[stat]
        assert bounds is not None
        hits += bounds[0] <= truth({"p50": 0.5, "p95": 0.95}[stat]) <= bounds[1]
    assert_covers(hits)


@pytest.mark.parametrize(
    ("dominance", "is_base_even", "stat"),
    [
        (0.1, False, "p50"),
        (0.9, True, "p95"),
        pytest.param(0.1, False, "p95", marks=SWEEP),
        pytest.param(0.1, True, "p50", marks=SWEEP),
        pytest.param(0.1, True, "p95", marks=SWEEP),
        pytest.param(0.9, False, "p50", marks=SWEEP),
        pytest.param(0.9, False, "p95", marks=SWEEP),
        pytest.param(0.9, True, "p50", marks=SWEEP),
    ],
)
def test_a_ratio_is_covered(dominance: float, is_base_even: bool, stat: str) -> None:
    """A base that is the same on every prompt is what speculation is compared with in practice."""
    chance, hits = np.random.default_rng(7), 0
    base_truth = exp(0.02 * NormalDist().inv_cdf({"p50": 0.5, "p95": 0.95}[stat]))
    for _ in range(TRIALS):
        own = chance.standard_normal((96, 1, 1))
        near = sqrt(0.5) * own + sqrt(0.5) * chance.standard_normal((96, 1, 1))
        arm = log_normal(chance, 96, 2, 1, dominance, own)
        base = np.exp(0.02 * chance.standard_normal((96, 2, 1))) if is_base_even else log_normal(chance, 96, 2, 1, dominance, near)
        latencies = latencies_of(requests_of(arm, "ngram") + requests_of(base))
        found = ratio(sampled(latencies, "tpot", "ngram"), sampled(latencies, "tpot"), stat)
        assert found.low is not None
        assert found.high is not None
        expected = truth({"p50": 0.5, "p95": 0.95}[stat]) / base_truth if is_base_even else 1.0
        hits += found.low <= expected <= found.high
    assert_covers(hits)


def closed_loop(durations_s: np.ndarray, arm: str, repeat: int) -> list[RequestTrace]:
    """Return the requests of eight slots that take prompts in order; eight tokens each, all at the end but one."""
    free, found = [0.0] * 8, []
    for i, duration in enumerate(durations_s.tolist()):
        start = heapq.heappop(free)
        heapq.heappush(free, start + duration)
        found.append(
            request(
                f"p{i}",
                arm=arm,
                repeat=repeat,
                index=i,
                scheduled_s=start,
                chunks_s=(start + duration / 2, start + duration),
                chunk_tokens=(1, 7),
            )
        )
    return found


def test_a_throughput_ratio_is_covered() -> None:
    """The arm takes 0.8 of the base's time; each prompt more or less than that, and the slowest of the last requests decides the end."""
    chance, hits = np.random.default_rng(8), 0
    load = Load(id="c8", concurrency=8, requests=96)
    for _ in range(TRIALS):
        pace = np.exp(0.3 * chance.standard_normal(96))
        requests = []
        for arm, factor in (("base", 1.0), ("ngram", 0.8)):
            own = factor * pace * np.exp(0.15 * chance.standard_normal(96))
            for repeat in (1, 2):
                requests += closed_loop(own * np.exp(0.05 * chance.standard_normal(96)), arm, repeat)
        latencies = latencies_of(requests)
        found = rate_ratios(CellRows.of(latencies, "ngram", load), CellRows.of(latencies, "base", load), 1)["throughput.mean"]
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= 1 / 0.8 <= found.high
    assert_covers(hits)


def calls(chance: np.random.Generator, *, slow_down: float, drift: float) -> tuple[bool, bool]:
    """Return whether `ngram` is called different from `base`, and the A/A control broken, in one simulated run.

    Args:
        chance: Source of randomness.
        slow_down: Factor on the times of `ngram`.
        drift: Standard deviation of the log of each cell's own pace, which no resampling of prompts sees.
    """
    requests = []
    arms = {"base": 1.0, "ngram": slow_down, "base-2": 1.0}
    for one in simulated(chance, arms=arms, prompts=96, repeats=2):
        requests.append(one)
    pace = {(arm, repeat): exp(drift * chance.standard_normal()) for arm in arms for repeat in (1, 2)}
    stretched = [
        request(
            one.prompt_id,
            arm=one.arm,
            repeat=one.repeat,
            index=one.index,
            chunks_s=tuple(t * pace[one.arm, one.repeat] for t in one.chunks_s),
        )
        for one in requests
    ]
    latencies = latencies_of(stretched)
    cells = tuple(
        Cell(
            arm=arm,
            load="c8",
            repeat=repeat,
            requests={"sent": 0, "completed": 0, "failed": 0, "aborted": 0, "empty": 0},
            metrics=latency_measures("tpot", sampled(latencies, "tpot", arm, repeat)),
        )
        for arm in arms
        for repeat in (1, 2)
    )
    pooled = {arm: sampled(latencies, "tpot", arm) for arm in arms}
    ratios: dict[str, Measure] = {arm: ratio(pooled[arm], pooled["base"], "p50") for arm in ("ngram", "base-2")}
    comparisons = tuple(Comparison(arm=arm, base="base", load="c8", metrics={"tpot.p50": one}) for arm, one in ratios.items())
    run = Summary(cells, comparisons, (), (), ())
    floor = noise_floor(protocol(), run, base="base", load="c8", metric="tpot.p50")
    return is_difference(ratios["ngram"], floor), is_control_broken(run, comparisons[1], "tpot.p50")


@pytest.mark.parametrize("drift", [0.02, pytest.param(0.0, marks=SWEEP)])
def test_the_same_engine_is_called_different_in_at_most_one_run_in_twenty(drift: float) -> None:
    chance = np.random.default_rng(9)
    found = [calls(chance, slow_down=1.0, drift=drift) for _ in range(TRIALS)]
    allowed = 0.05 + (0 if IS_FULL else 3 * sqrt(0.05 * 0.95 / TRIALS))
    print(f"called different in {sum(one for one, _ in found)}, A/A broken in {sum(one for _, one in found)} of {TRIALS} trials")
    assert sum(different for different, _ in found) <= allowed * TRIALS
    assert sum(broken for _, broken in found) <= allowed * TRIALS


@pytest.mark.parametrize("drift", [0.02, pytest.param(0.0, marks=SWEEP)])
def test_a_slow_down_of_a_fifth_is_called(drift: float) -> None:
    chance = np.random.default_rng(10)
    found = [calls(chance, slow_down=1.2, drift=drift)[0] for _ in range(TRIALS)]
    print(f"called in {sum(found)} of {TRIALS} trials")
    assert sum(found) >= (0.95 - (0 if IS_FULL else 3 * sqrt(0.05 * 0.95 / TRIALS))) * TRIALS
