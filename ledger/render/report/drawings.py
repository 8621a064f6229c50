"""A run's metrics by load, and acceptance by drafted position, drawn as articles draw them."""

from collections.abc import Iterator

from ledger.analysis.claims.resolve import measure_number
from ledger.render.figures.plot import Plot
from ledger.render.figures.run_plots import ACCEPTANCE_AXIS, VALUE_HEADING, Point, RunFrame, has_value, plot_points, position_points
from ledger.render.report.load_tables import words_of
from ledger.render.report.report import Drawing
from ledger.render.report.words import RunUnderProtocol, load_words, proof
from ledger.render.runs.measure_text import flag_cells, interval_text

DRAWN = ("ttft.p50", "tpot.p50", "throughput.mean")


def drawings(execution: RunUnderProtocol) -> Iterator[Drawing]:
    """Yield a drawing for each metric that has a value at some load, then acceptance by position."""
    cells = [cell for load in execution.loads for arm in execution.arms if (cell := execution.run.cell(arm, load))]
    for key in DRAWN:
        points = [Point(cell, cell.metrics[key]) for cell in cells if key in cell.metrics]
        if has_value(points):
            unit = measure_number(0.0, points[0].measure.unit)[1]
            yield Drawing(f"{words_of(key)}, by load", _by_load(execution, points, f"{words_of(key)}, {unit}"), proof(execution.run))
    points = position_points(cells)
    if has_value(points):
        yield Drawing("Drafted tokens accepted, by position", _by_position(execution, points), proof(execution.run))


def _by_load(execution: RunUnderProtocol, points: list[Point], axis: str) -> Plot:
    header = ("Load", "Arm", VALUE_HEADING)
    frame = RunFrame(axis=axis, loads=_names(execution), arms=execution.arms, header=header, row=lambda point, _top: _row(execution, point))
    return plot_points("latency", points, frame)


def _by_position(execution: RunUnderProtocol, points: list[Point]) -> Plot:
    def row(point: Point, _top: float | None) -> tuple[str, ...]:
        load, arm, text = _row(execution, point)
        return load, arm, str(point.position), text

    header = ("Load", "Arm", "Position", VALUE_HEADING)
    frame = RunFrame(axis=ACCEPTANCE_AXIS, loads=_names(execution), arms=execution.arms, header=header, row=row)
    return plot_points("acceptance", points, frame)


def _names(execution: RunUnderProtocol) -> dict[str, str]:
    """Loads by their ids, which the figure prints; the table beside it says what they mean."""
    return {load: load for load in execution.loads}


def _row(execution: RunUnderProtocol, point: Point) -> tuple[str, str, str]:
    cell, measure = point.cell, point.measure
    load = load_words(execution.load(cell.load), cell.load)
    return load, flag_cells(cell.arm, cell), f"{interval_text(measure)}, n = {measure.n}"
