"""The noise floor that a difference must exceed, and whether the A/A control holds (METRICS, Statistics)."""

from collections.abc import Iterable
from itertools import combinations
from math import log, sqrt
from typing import Literal
from typing import Protocol as Interface

import numpy as np

from ledger.analysis.statistics.bootstrap import student_t
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Cell, Comparison, Measure

Direction = Literal["better", "worse", "no difference shown"]


class Measurements(Interface):
    """What has cells and comparisons: a summary, or a run read back from its record."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, each repeat and pooled."""
        ...

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Each arm against its base at each load."""
        ...


def noise_floor(protocol: Protocol, measured: Measurements, *, base: str, load: str, metric: str) -> float | None:
    """Return the largest |log ratio| between repeats of a base, those of arms that repeat it included; None below two.

    Args:
        protocol: Says which arms repeat the base (`repeats_of`).
        measured: A summary or a run.
        base: The arm that others are compared with.
        load: At which load.
        metric: `metric.stat`, such as `tpot.p50`.
    """
    family = [base, *(arm.id for arm in protocol.arms if arm.repeats_of == base)]
    logs = [value for arm in family for value in _logs(measured.cells, arm, load, metric=metric)]
    return max((abs(a - b) for a, b in combinations(logs, 2)), default=None)


def _logs(cells: Iterable[Cell], arm: str, load: str, *, metric: str) -> list[float]:
    found = [c.metrics.get(metric) for c in cells if (c.arm, c.load) == (arm, load) and c.repeat is not None]
    return [log(measure.value) for measure in found if measure and measure.value and measure.value > 0]


def has_interval_off_one(ratio: Measure) -> bool:
    """Whether the interval of a ratio exists and excludes 1."""
    return ratio.low is not None and ratio.high is not None and not ratio.low <= 1 <= ratio.high


def is_difference(ratio: Measure, floor: float | None) -> bool:
    """Whether a ratio counts as a difference: its interval excludes 1 and it lies beyond the noise floor, which must exist."""
    if ratio.value is None or ratio.value <= 0 or floor is None:
        return False
    return has_interval_off_one(ratio) and abs(log(ratio.value)) > floor


def direction(ratio: Measure, floor: float | None, *, lower_is_better: bool) -> Direction:
    """Return what may be said of an arm against its base."""
    if ratio.value is None or not is_difference(ratio, floor):
        return "no difference shown"
    return "better" if (ratio.value < 1) == lower_is_better else "worse"


def is_control_broken(measured: Measurements, comparison: Comparison, metric: str) -> bool:
    """Whether an A/A comparison is called different, which invalidates the run's speed verdicts.

    The interval of its ratio excludes 1 and the two arms' repeats lie further apart than those within each arm
    allow: a t test of their logs at 95 %. The noise floor cannot serve here, since it spans both arms; and prompts
    drawn anew say nothing of an engine that drifts from cell to cell. Not judged with one repeat an arm.
    """
    ratio = comparison.metrics.get(metric)
    sides = [_logs(measured.cells, arm, comparison.load, metric=metric) for arm in (comparison.arm, comparison.base)]
    if ratio is None or not has_interval_off_one(ratio) or min(len(side) for side in sides) < 2:
        return False
    freedom = len(sides[0]) + len(sides[1]) - 2
    spread = sqrt(sum(float(np.var(side)) * len(side) for side in sides) / freedom)
    error = spread * sqrt(1 / len(sides[0]) + 1 / len(sides[1]))
    return abs(float(np.mean(sides[0])) - float(np.mean(sides[1]))) > student_t(freedom) * error
