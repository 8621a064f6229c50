"""How often the intervals of a run hold the truth, and how wide they are, by simulation through real trace columns and the real functions.

Every trial makes a run up (`simulated_lives`), sends it through the functions that a run's own numbers come from, and asks
of each interval whether it holds the known truth. The width is beside that of somebody who knows both variances, of prompts
and of lives: 1.96 standard deviations of the estimate to each side.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from benchmarks.figures import Figure
from benchmarks.simulated_lives import PACE, STEP_S, Design, simulate
from ledger.analysis.cells.cell_rows import CellRows
from ledger.analysis.cells.load_lives import LoadLives, arm_lives, latency_estimates, rate_estimates
from ledger.analysis.cells.measures import latency_measures
from ledger.analysis.cells.paired_ratios import rate_ratios, ratio
from ledger.analysis.measures.samples import sample
from ledger.analysis.statistics.lives import LIFE_RESAMPLES, Lives
from ledger.model.records.run import Measure

TRIALS = 2000
LIVES = (0.0, 0.02, 0.05, 0.10, 0.15)
LEAST, MOST, WIDEST = 0.93, 0.99, 1.5
"""The bars: share of intervals that hold the truth, and mean width over that of somebody who knows both variances."""
SEED = 20261201
KINDS = ("plain", "double", "drift", "interaction")
SIZES = ((2, 2), (2, 3), (2, 5), (3, 2), (3, 3), (3, 5), (4, 3), (6, 2), (6, 3), (6, 5))
"""Arms and repeats."""
STATISTICS = {
    "tpot": ("ratio of medians", "ratio of p95", "median of one arm"),
    "itl": ("ratio of ITL p95",),
    "rates": ("ratio of throughputs",),
}
"""What is simulated, and the intervals that come of it."""


@dataclass(frozen=True, slots=True)
class Point:
    """One design, what is made of it, and how often."""

    design: Design
    metric: str = "tpot"
    trials: int = TRIALS


@dataclass(frozen=True, slots=True)
class Covered:
    """What one interval did at one point."""

    point: Point
    statistic: str
    share: float
    width: float
    """Mean, over that of somebody who knows both variances."""

    @property
    def error(self) -> float:
        """The Monte Carlo standard error of the share."""
        return sqrt(self.share * (1 - self.share) / self.point.trials)

    @property
    def is_met(self) -> bool:
        """Whether share and width are within the bars, by the trials made."""
        return LEAST <= self.share <= MOST and self.width <= WIDEST


def points(trials: int = TRIALS) -> Iterator[Point]:
    """Yield every point of the table."""
    for arms, repeats in SIZES:
        for kind in KINDS if (arms, repeats) in ((3, 3), (6, 3)) else KINDS[:1]:
            yield from (Point(Design(arms=arms, repeats=repeats, lives=lives, kind=kind), trials=trials) for lives in LIVES)
    for kind in ("double", "drift"):
        yield from (Point(Design(arms=6, repeats=5, lives=lives, kind=kind), trials=trials) for lives in LIVES)
    yield from (Point(Design(arms=4, repeats=3, lives=lives, is_open=True), trials=trials) for lives in LIVES)
    for metric in ("itl", "rates"):
        yield from (Point(Design(arms=3, repeats=3, lives=lives), metric, trials) for lives in (0.0, 0.05, 0.15))


def intervals(chance: np.random.Generator, point: Point) -> Iterator[tuple[str, Measure, float]]:
    """Yield the intervals of one simulated run, each with the truth."""
    design = point.design
    load = design.protocol().loads[0]
    latencies = simulate(chance, design, tokens=2 if point.metric != "itl" else 5, has_slots=point.metric == "rates")
    arms = [arm.id for arm in design.protocol().arms]
    pooled = {arm: CellRows.of(latencies, arm, load) for arm in arms}
    lives = LoadLives(lives_of(pooled, point), is_open=design.is_open)
    counts = {"a1": design.repeats, "base": design.repeats}
    if point.metric == "rates":
        measure = rate_ratios(pooled["a1"], pooled["base"], 1)["throughput.mean"]
        yield STATISTICS["rates"][0], lives.widen("throughput.mean", measure, counts), 1 / PACE
        return
    arm, base = (sample(latencies, point.metric, pooled[one].rows, seed=1) for one in ("a1", "base"))
    assert arm is not None
    assert base is not None
    if point.metric == "itl":
        yield STATISTICS["itl"][0], lives.widen("itl.p95", ratio(arm, base, "p95"), counts), PACE
        return
    for name, stat in zip(STATISTICS["tpot"], ("p50", "p95"), strict=False):
        yield name, lives.widen(f"tpot.{stat}", ratio(arm, base, stat), counts), PACE
    own = lives.widen("tpot.p50", latency_measures("tpot", arm)["tpot.p50"], {"a1": design.repeats})
    yield STATISTICS["tpot"][2], own, PACE * STEP_S


def lives_of(pooled: Mapping[str, CellRows], point: Point) -> dict[str, dict[str, Lives]]:
    """Return what the lives say of the point's metric, by key and arm."""
    by_key: dict[str, dict[str, Lives]] = {}
    for arm, rows in pooled.items():
        lives = {}
        for repeat in rows.repeats():
            one = rows.one_repeat(repeat)
            if point.metric == "rates":
                lives[repeat] = dict(rate_estimates(one, np.unique(one.prompts), 1))
            else:
                lives[repeat] = dict(
                    latency_estimates({point.metric: sample(one.latencies, point.metric, one.rows, seed=1, resamples=LIFE_RESAMPLES)})
                )
        for key, found in arm_lives(lives):
            by_key.setdefault(key, {})[arm] = found
    return by_key


def cover(point: Point) -> list[Covered]:
    """Return what the intervals of one point did."""
    chance = np.random.default_rng(SEED)
    hits: dict[str, list[bool]] = {}
    logs: dict[str, list[tuple[float, float, float]]] = {}
    for _ in range(point.trials):
        for name, measure, truth in intervals(chance, point):
            assert measure.value is not None
            assert measure.low is not None
            assert measure.high is not None
            hits.setdefault(name, []).append(measure.low <= truth <= measure.high)
            logs.setdefault(name, []).append((log(measure.low), log(measure.value), log(measure.high)))
    found = []
    for name, ends in logs.items():
        low, value, high = np.asarray(ends).T
        width = float((high - low).mean() / (2 * 1.96 * value.std(ddof=1)))
        found.append(Covered(point, name, float(np.mean(hits[name])), width))
    return found


def words(point: Point) -> str:
    """Return a point's design without its lives."""
    design = point.design
    return f"{design.arms} arms x {design.repeats} lives, {'open loop' if design.is_open else design.kind}"


def tables(found: list[Covered]) -> Iterator[str]:
    """Yield the lines of one table a statistic: a row a design, a column for each spread of lives."""
    for statistic in dict.fromkeys(one.statistic for one in found):
        rows = [one for one in found if one.statistic == statistic]
        yield f"\n{statistic}: covered in % (mean width over that of somebody who knows both variances)"
        yield f"{'':34}" + "".join(f"{f'{lives:.0%}':>15}" for lives in LIVES)
        for design in dict.fromkeys(words(one.point) for one in rows):
            by_lives = {one.point.design.lives: one for one in rows if words(one.point) == design}
            cells = (
                f"{100 * by_lives[x].share:5.1f} ({by_lives[x].width:.2f}){' ' if by_lives[x].is_met else '!'}" if x in by_lives else ""
                for x in LIVES
            )
            yield f"{design:34}" + "".join(f"{cell:>15}" for cell in cells)


def run(trials: int = TRIALS, processes: int | None = None) -> list[Covered]:
    """Return every point of the table, worked out on all cores."""
    with ProcessPoolExecutor(processes or os.cpu_count()) as pool:
        return [one for found in pool.map(cover, points(trials)) for one in found]


def main() -> list[Figure]:
    """Print and return the table; `LEDGER_TRIALS` sets another number of trials a point."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one thread a process: they fill the cores themselves
    trials = int(os.environ.get("LEDGER_TRIALS", TRIALS))
    found = run(trials)
    print(f"{trials} trials a point, standard error at most {100 * sqrt(LEAST * (1 - LEAST) / trials):.2f} points; ! lies outside the bars")
    for line in tables(found):
        print(line)
    sys.stdout.flush()
    least, most, widest = min(one.share for one in found), max(one.share for one in found), max(one.width for one in found)
    return [
        Figure("least coverage of any interval", f"{least:.1%}", "93 % or more", least >= LEAST),
        Figure("most coverage of any interval", f"{most:.1%}", "99 % or less", most <= MOST),
        Figure("widest mean interval over the oracle's", f"{widest:.2f}", "1.5 or less", widest <= WIDEST),
    ]
