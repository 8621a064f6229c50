"""When a ratio shows a difference, and what the A/A ratios say of a run: all judged by the same interval (METRICS, Statistics)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import Literal
from typing import Protocol as Interface

from ledger.analysis.statistics.beta import beta_share, student_t
from ledger.analysis.statistics.lives import closed_freedom, open_freedom
from ledger.model.records.protocol import Load, Protocol
from ledger.model.records.run import Cell, Comparison, Measure
from ledger.model.values.metrics import METRICS

Direction = Literal["better", "worse", "no difference shown"]
LEVEL = 0.05
"""How often an interval of 95 % excludes 1 though nothing differs."""


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


def is_difference(ratio: Measure) -> bool:
    """Whether a ratio shows a difference: its interval exists and excludes 1."""
    return ratio.low is not None and ratio.high is not None and not ratio.low <= 1 <= ratio.high


def direction(ratio: Measure, *, lower_is_better: bool) -> Direction:
    """Return what may be said of an arm against its base, by the interval against 1, whatever a rule asks."""
    if ratio.value is None or not is_difference(ratio):
        return "no difference shown"
    return "better" if (ratio.value < 1) == lower_is_better else "worse"


@dataclass(frozen=True, slots=True)
class ControlRatio:
    """The ratio of an arm to the arm that it repeats, in one statistic at one load; nothing but chance should move it."""

    arm: str
    base: str
    load: str
    key: str
    """`metric.stat`."""
    measure: Measure
    freedom: int
    """Degrees of freedom between the lives behind it; 0 where there is one life an arm, so that nobody can judge it."""

    @property
    def p_value(self) -> float | None:
        """How often chance alone takes the ratio so far from 1, by its interval as of Student's t; None without an interval."""
        value, low, high = self.measure.value, self.measure.low, self.measure.high
        if value is None or low is None or high is None or not self.freedom or value <= 0 or low <= 0:
            return None
        half_width = log(value / low) if value > 1 else log(high / value)
        if half_width <= 0:
            return 1.0 if value == 1 else 0.0
        t = abs(log(value)) / half_width * student_t(self.freedom)
        return beta_share(self.freedom / (self.freedom + t * t), self.freedom / 2, 0.5)


@dataclass(frozen=True, slots=True)
class ControlCheck:
    """What the A/A ratios say of a run as a whole."""

    different: int
    """Ratios of latencies and rates whose interval excludes 1."""
    judged: int
    """Ratios that have an interval."""
    unjudged: int
    """Ratios that have a value and no interval."""
    broken: tuple[ControlRatio, ...]
    """Those of the rubric's metrics that differ by Holm's correction over all of these."""

    @property
    def expected(self) -> float:
        """How many would exclude 1 by chance alone."""
        return LEVEL * self.judged


def control_ratios(protocol: Protocol, measured: Measurements) -> Iterator[ControlRatio]:
    """Yield the A/A ratios of latencies and rates, with and without an interval."""
    copies = {arm.id: arm.repeats_of for arm in protocol.arms if arm.repeats_of}
    for pair in measured.comparisons:
        if copies.get(pair.arm) == pair.base:
            load = next((load for load in protocol.loads if load.id == pair.load), None)
            freedom = freedom_of(measured, load, pair.arm, pair.base) if load else 0
            for key, measure in pair.metrics.items():
                if key in METRICS and METRICS[key].is_speed and measure.value is not None:
                    yield ControlRatio(pair.arm, pair.base, pair.load, key, measure, freedom)


def freedom_of(measured: Measurements, load: Load, *arms: str) -> int:
    """Return the degrees of freedom between lives behind a ratio of two arms at a load, from the cells of each repeat."""
    lives: dict[str, int] = {}
    for cell in measured.cells:
        if cell.load == load.id and cell.repeat is not None and cell.shortfall is None:
            lives[cell.arm] = lives.get(cell.arm, 0) + 1
    return open_freedom(lives, *arms) if load.kind == "open" else closed_freedom(lives, *arms)


def check_controls(protocol: Protocol, measured: Measurements, asked: Sequence[tuple[str, str]]) -> ControlCheck:
    """Return what the A/A ratios of a run say; `asked` are load and `metric.stat` of the rubric's speed rules."""
    ratios = list(control_ratios(protocol, measured))
    with_interval = [one for one in ratios if one.measure.low is not None]
    rubric = [one for one in with_interval if (one.load, one.key) in asked]
    different = sum(is_difference(one.measure) for one in with_interval)
    return ControlCheck(different, len(with_interval), len(ratios) - len(with_interval), tuple(holm(rubric)))


def holm(ratios: Sequence[ControlRatio]) -> Iterator[ControlRatio]:
    """Yield the ratios that differ from 1 when all are looked at together, at 5 % for the whole of them.

    From the smallest p value on, each is held to 5 % over the number of those not yet passed; the first that does not
    pass ends it. Source: Holm 1979, "A Simple Sequentially Rejective Multiple Test Procedure".
    """
    ranked = sorted(((p, place) for place, one in enumerate(ratios) if (p := one.p_value) is not None))
    for rank, (p, place) in enumerate(ranked):
        if p > LEVEL / (len(ranked) - rank):
            return
        yield ratios[place]
