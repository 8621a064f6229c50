"""A run's metrics by load, and acceptance by drafted position, drawn as articles draw them."""

import re
from collections.abc import Iterator, Mapping

from ledger.analysis.claims.resolve import measure_number
from ledger.model.records.run import Cell, Measure
from ledger.render.figures.plot import Plot, Scalar, measured
from ledger.render.report.load_tables import words_of
from ledger.render.report.report import Drawing
from ledger.render.report.words import Judged, is_saturated, load_words, named, proof, value_text

DRAWN = ("ttft.p50", "tpot.p50", "throughput.mean")
_POSITION = re.compile(r"acceptance\.position-(\d+)")
_VALUE = "Value (95 % interval)"
_FAR, _ROOM = 2.5, 1.25
"""How many times beyond everything else an interval must reach to be cut, and where the axis then ends."""


def drawings(one: Judged) -> Iterator[Drawing]:
    """Yield a drawing for each metric that has a value at some load, then acceptance by position."""
    for key in DRAWN:
        found = [(cell, cell.metrics[key]) for cell in _cells(one) if key in cell.metrics]
        if any(measure.value is not None for _, measure in found):
            unit = measure_number(0.0, found[0][1].unit)[1]
            yield Drawing(f"{words_of(key)}, by load", _by_load(one, f"{words_of(key)}, {unit}", found), proof(one.run))
    placed = [(cell, position, measure) for cell in _cells(one) for position, measure in _positions(cell)]
    if any(measure.value is not None for _, _, measure in placed):
        yield Drawing("Drafted tokens accepted, by position", _by_position(one, placed), proof(one.run))


def _cells(one: Judged) -> list[Cell]:
    return [cell for load in one.loads for arm in one.arms if (cell := one.run.cell(arm, load))]


def _by_load(one: Judged, axis: str, found: list[tuple[Cell, Measure]]) -> Plot:
    marks = [_mark(one, cell, measure) for cell, measure in found]
    rows = tuple(_row(one, cell, measure) for cell, measure in found)
    drawn = tuple(mark for mark in marks if mark["value"] is not None)
    return Plot("latency", axis, drawn, ("Load", "Arm", _VALUE), rows, (), one.arms, _top(drawn))


def _by_position(one: Judged, placed: list[tuple[Cell, int, Measure]]) -> Plot:
    marks = [_mark(one, cell, measure) | {"position": float(position)} for cell, position, measure in placed]
    rows = tuple((load, arm, str(position), text) for (cell, position, measure) in placed for load, arm, text in [_row(one, cell, measure)])
    drawn = tuple(mark for mark in marks if mark["value"] is not None)
    header = ("Load", "Arm", "Position", _VALUE)
    return Plot("acceptance", "Drafted tokens accepted, %", drawn, header, rows, (), one.arms)


def _mark(one: Judged, cell: Cell, measure: Measure) -> dict[str, Scalar]:
    place: dict[str, Scalar] = {"arm": cell.arm, "row": cell.load, "order": float(one.loads.index(cell.load))}
    return place | {"saturated": is_saturated(cell)} | measured(measure)[1]


def _row(one: Judged, cell: Cell, measure: Measure) -> tuple[str, str, str]:
    return load_words(one.load(cell.load), cell.load), named(cell.arm, cell), f"{value_text(measure)}, n = {measure.n}"


def _positions(cell: Cell) -> Iterator[tuple[int, Measure]]:
    found = {int(match.group(1)): measure for key, measure in cell.metrics.items() if (match := _POSITION.fullmatch(key))}
    yield from sorted(found.items())


def _top(marks: tuple[Mapping[str, Scalar], ...]) -> float | None:
    """Where the axis ends if one interval would press everything else flat; None where none does."""
    highest, *others = sorted((float(mark["high"]) for mark in marks if mark["high"] is not None), reverse=True) or [0.0]
    rest = max([*(float(mark["value"] or 0) for mark in marks), *others])
    return _ROOM * rest if highest > _FAR * rest > 0 else None
