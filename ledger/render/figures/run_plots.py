"""What a figure of a run shows: a metric by load, or acceptance by drafted position; one series per arm."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from ledger.analysis.claims.resolve import measure_number, run_facts
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Cell, Measure, Run
from ledger.model.values.metrics import draft_position, metric_words
from ledger.model.values.units import plain, with_unit
from ledger.render.citing.blocks import AcceptanceFigure, RunFigure
from ledger.render.citing.citations import Citing, UnprintableError
from ledger.render.citing.run_blocks import cite_run, find_measure, select_cells
from ledger.render.figures.plot import Plot, Scalar, printed_ends
from ledger.render.runs.measure_text import capitalise

VALUE_HEADING = "Value (95 % interval)"
ACCEPTANCE_AXIS = "Drafted tokens accepted, %"
_FAR, _ROOM = 2.5, 1.25
"""How many times beyond everything else an interval must reach to be cut, and where the axis then ends."""


@dataclass(frozen=True, slots=True)
class Point:
    """A measure of a cell as a figure shows it: at the cell's load, or at a position of the draft, from 1."""

    cell: Cell
    measure: Measure
    position: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFrame:
    """What stands around a run's points: axes, and how the data reads as a table."""

    axis: str
    loads: Mapping[str, str]
    """Every load and the name that it prints with, in order."""
    arms: tuple[str, ...]
    """Every arm of the run's protocol, in order."""
    header: tuple[str, ...]
    row: Callable[[Point, float | None], tuple[str, ...]]
    """A point's row, given where the axis ends if an interval reaches beyond."""


def position_points(cells: Sequence[Cell]) -> list[Point]:
    """Return the share of drafted tokens accepted at each position of the draft, cell by cell, positions in order."""
    return [Point(cell, measure, position) for cell in cells for position, measure in sorted(_positions(cell), key=lambda item: item[0])]


def _positions(cell: Cell) -> Iterator[tuple[int, Measure]]:
    for key, measure in cell.metrics.items():
        if (position := draft_position(key)) is not None:
            yield position, measure


def has_value(points: Sequence[Point]) -> bool:
    """Whether there is anything to draw."""
    return any(point.measure.value is not None for point in points)


def plot_points(kind: str, points: Sequence[Point], frame: RunFrame) -> Plot:
    """Return points as the data of a figure of a kind; a point without a value stands in the table only.

    The axis of a figure of kind `acceptance` always ends at the same place.
    """
    marks = [_mark(point, frame.loads) for point in points]
    top = None if kind == "acceptance" else _axis_end(marks)
    values = tuple(mark for mark in marks if mark["value"] is not None)
    rows = tuple(frame.row(point, top) for point in points)
    return Plot(kind, frame.axis, values, frame.header, rows, arms=frame.arms, top=top)


def _mark(point: Point, loads: Mapping[str, str]) -> dict[str, Scalar]:
    cell = point.cell
    order = float(list(loads).index(cell.load)) if cell.load in loads else 0.0
    mark: dict[str, Scalar] = {"arm": cell.arm, "row": loads.get(cell.load, cell.load), "order": order, "saturated": cell.is_saturated}
    place: dict[str, Scalar] = {} if point.position is None else {"position": float(point.position)}
    return mark | place | printed_ends(point.measure)[1]


def _axis_end(marks: Sequence[Mapping[str, Scalar]]) -> float | None:
    """Where the axis ends if one interval would press everything else flat; None where none does."""
    values = [float(mark["value"]) for mark in marks if mark["value"] is not None]
    highest, *others = sorted((float(mark["high"]) for mark in marks if mark["high"] is not None), reverse=True) or [0.0]
    rest = max([0.0, *values, *others])
    return _ROOM * rest if highest > _FAR * rest > 0 else None


def run_plot(block: RunFigure, citing: Citing) -> Plot:
    """Return a metric of a run by load, one series per arm.

    Raises:
        UnprintableError: the run, a cell or the metric is not there, or nothing has a value.
    """
    run = cite_run(block.run, citing)
    loads = run_facts(citing.evidence.catalogue, run, "load")
    points = [Point(cell, find_measure(cell, block.metric)) for cell in select_cells(block, run)]
    if not has_value(points):
        reason = points[0].measure.reason if points else "no cell"
        raise UnprintableError("LEDG106", f"{block.metric} has no value in any cell: {reason}.", "Draw another metric.")
    axis = block.axis or capitalise(f"{metric_words(block.metric)}, {printed_ends(points[0].measure)[0]}")
    frame = RunFrame(
        axis=axis,
        loads=loads,
        arms=_arms_of(run, citing),
        header=("Arm", "Load", VALUE_HEADING),
        row=lambda point, top: (point.cell.arm, loads.get(point.cell.load, point.cell.load), _row_text(point, top)),
    )
    return plot_points(block.kind, points, frame)


def acceptance_plot(block: AcceptanceFigure, citing: Citing) -> Plot:
    """Return the share of drafted tokens accepted at each position of the draft, one series per arm that drafts.

    Raises:
        UnprintableError: the run or a cell is not there, or no arm drafted anything.
    """
    run = cite_run(block.run, citing)
    loads = run_facts(citing.evidence.catalogue, run, "load")
    points = position_points(select_cells(block, run))
    if not has_value(points):
        raise UnprintableError("LEDG106", f"{run.id} has no acceptance by position in any cell.", "Draw it for an arm that drafts.")
    frame = RunFrame(
        axis=block.axis or ACCEPTANCE_AXIS,
        loads=loads,
        arms=_arms_of(run, citing),
        header=("Arm", "Load", "Drafted position", VALUE_HEADING),
        row=lambda point, top: (
            point.cell.arm,
            loads.get(point.cell.load, point.cell.load),
            str(point.position),
            _row_text(point, top),
        ),
    )
    return plot_points(block.kind, points, frame)


def _arms_of(run: Run, citing: Citing) -> tuple[str, ...]:
    """The arms of a run in its protocol's order."""
    protocol = citing.evidence.catalogue.get(run.protocol, Protocol)
    return tuple(arm.id for arm in protocol.arms) if protocol else tuple(dict.fromkeys(cell.arm for cell in run.cells))


def _row_text(point: Point, top: float | None) -> str:
    """A point's value, interval and n; an interval that the figure cuts says so."""
    measure = point.measure
    if measure.value is None:
        return measure.reason or "no data"
    number, unit = measure_number(measure.value, measure.unit)
    ends = [measure_number(end, measure.unit)[0] for end in (measure.low, measure.high) if end is not None]
    high = printed_ends(measure)[1]["high"]
    cut = ", drawn in part" if top and high and float(high) > top else ""
    interval = f" ({' to '.join(ends)}{cut})" if ends else " (no interval)"
    value = with_unit(number, unit).replace("\u00a0", " ")
    return f"{value}{interval}, n = {plain(Decimal(measure.n))}" + (", saturated" if point.cell.is_saturated else "")
