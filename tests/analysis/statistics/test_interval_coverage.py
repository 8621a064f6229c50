"""What the intervals promise, simulated: of prompts alone in 100 trials here and 1,000 with LEDGER_SLOW=1, and with lives in a few.

Each figure is printed; `pytest -rA` shows them.
"""

import heapq
import os
from dataclasses import replace
from math import exp, sqrt
from statistics import NormalDist

import numpy as np
import pytest

from benchmarks.coverage import LEAST, WIDEST, Point, cover, words
from benchmarks.simulated_lives import Design
from ledger.analysis.cells.cell_rows import CellRows
from ledger.analysis.cells.paired_ratios import rate_ratios, ratio
from ledger.analysis.measures.latencies import Latencies
from ledger.analysis.measures.samples import Sample, sample
from ledger.model.records.protocol import Load
from ledger.model.trace import RequestTrace
from tests.analysis.recorded import latencies_of, request

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
    found = sample(latencies, metric, latencies.traces.rows(arm, "c8", repeat), seed=1)
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


POINTS = [
    Point(Design(arms=3, repeats=2, lives=0.0)),
    Point(Design(arms=3, repeats=3, lives=0.05)),
    Point(Design(arms=3, repeats=3, lives=0.15)),
    Point(Design(arms=6, repeats=3, lives=0.15, kind="double")),
    Point(Design(arms=3, repeats=3, lives=0.05, kind="drift")),
    Point(Design(arms=3, repeats=3, lives=0.05, kind="interaction")),
    Point(Design(arms=3, repeats=3, lives=0.1), "rates"),
]
"""A few of those that `python -m benchmarks coverage` works out with 2,000 trials each."""


@pytest.mark.parametrize("point", POINTS, ids=lambda point: f"{words(point)}, {point.design.lives:.0%}, {point.metric}")
def test_intervals_hold_the_truth_however_much_lives_differ(point: Point) -> None:
    """Short: what 40 trials can refute. The bar on the width is the table's."""
    trials = 40
    for one in cover(replace(point, trials=trials)):
        print(f"{one.statistic}: covered in {one.share:.1%} of {trials} trials, {one.width:.2f} of the width of who knows both variances")
        assert one.share >= LEAST - 3 * sqrt(LEAST * (1 - LEAST) / trials), one.statistic
        assert one.width < 2 * WIDEST, one.statistic
