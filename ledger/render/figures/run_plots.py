"""What a figure of a run shows: a metric by load, or acceptance by drafted position; one series per arm."""

import re
from collections.abc import Iterator
from decimal import Decimal

from ledger.analysis.claims.resolve import measure_number, run_facts
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Cell, Measure, Run
from ledger.model.values.metrics import metric_words
from ledger.model.values.units import plain, with_unit
from ledger.render.citing.blocks import AcceptanceFigure, RunFigure
from ledger.render.citing.citations import Citing, Fault
from ledger.render.figures.plot import Plot, Scalar, measured
from ledger.render.tables.run_tables import chosen_cells, measure_of, the_run, upper

_VALUE = "Value (95 % interval)"
_FAR, _ROOM = 2.5, 1.25
"""How many times beyond everything else an interval must reach to be cut, and where the axis then ends."""


def run_plot(block: RunFigure, citing: Citing) -> Plot:
    """Return a metric of a run by load, one series per arm.

    Raises:
        Fault: the run, a cell or the metric is not there, or nothing has a value.
    """
    run = the_run(block.run, citing)
    facts = run_facts(citing.evidence.catalogue, run, "load")
    cells = chosen_cells(block, run)
    measures = [measure_of(cell.metrics, block.metric, f"{cell.arm}/{cell.load}") for cell in cells]
    if not any(measure.value is not None for measure in measures):
        reason = measures[0].reason if measures else "no cell"
        raise Fault("LEDG106", f"{block.metric} has no value in any cell: {reason}.", "Draw another metric.")
    unit = measured(measures[0])[0]
    marks = [_mark(cell, facts) | measured(measure)[1] for cell, measure in zip(cells, measures, strict=True)]
    top = _cut(marks)
    rows = tuple(
        (cell.arm, str(mark["row"]), _row_text(measure, mark, top)) for cell, mark, measure in zip(cells, marks, measures, strict=True)
    )
    values = tuple(mark for mark in marks if mark["value"] is not None)
    axis = block.axis or upper(f"{metric_words(block.metric)}, {unit}")
    return Plot(block.kind, axis, values, ("Arm", "Load", _VALUE), rows, (citing.cite(f"run:{block.run}"),), arms_of(run, citing), top)


def acceptance_plot(block: AcceptanceFigure, citing: Citing) -> Plot:
    """Return the share of drafted tokens accepted at each position of the draft, one series per arm that drafts.

    Raises:
        Fault: the run or a cell is not there, or no arm drafted anything.
    """
    run = the_run(block.run, citing)
    facts = run_facts(citing.evidence.catalogue, run, "load")
    found = [(cell, position, measure) for cell in chosen_cells(block, run) for position, measure in _positions(cell)]
    if not any(measure.value is not None for _, _, measure in found):
        raise Fault("LEDG106", f"{run.id} has no acceptance by position in any cell.", "Draw it for an arm that drafts.")
    marks = [_mark(cell, facts) | {"position": float(position)} | measured(measure)[1] for cell, position, measure in found]
    rows = tuple(
        (cell.arm, str(mark["row"]), str(position), _row_text(measure, mark, None))
        for (cell, position, measure), mark in zip(found, marks, strict=True)
    )
    values = tuple(mark for mark in marks if mark["value"] is not None)
    axis = block.axis or "Drafted tokens accepted, %"
    header = ("Arm", "Load", "Drafted position", _VALUE)
    return Plot(block.kind, axis, values, header, rows, (citing.cite(f"run:{block.run}"),), arms_of(run, citing))


def arms_of(run: Run, citing: Citing) -> tuple[str, ...]:
    """Return the arms of a run in its protocol's order."""
    protocol = citing.evidence.catalogue.get(run.protocol, Protocol)
    return tuple(arm.id for arm in protocol.arms) if protocol else tuple(dict.fromkeys(cell.arm for cell in run.cells))


def _positions(cell: Cell) -> Iterator[tuple[int, Measure]]:
    """Position, from 1, and its share, in order."""
    found = {int(match.group(1)): measure for key, measure in cell.metrics.items() if (match := _POSITION.fullmatch(key))}
    yield from sorted(found.items())


_POSITION = re.compile(r"acceptance\.position-(\d+)")


def _mark(cell: Cell, facts: dict[str, str]) -> dict[str, Scalar]:
    order = float(list(facts).index(cell.load)) if cell.load in facts else 0.0
    return {"arm": cell.arm, "row": facts.get(cell.load, cell.load), "order": order, "saturated": cell.is_saturated}


def _cut(marks: list[dict[str, Scalar]]) -> float | None:
    """Where the axis ends if one interval would press everything else flat; None where none does."""
    values = [float(mark["value"]) for mark in marks if mark["value"] is not None]
    highest, *others = sorted((float(mark["high"]) for mark in marks if mark["high"] is not None), reverse=True) or [0.0]
    rest = max([*values, *others])
    return _ROOM * rest if highest > _FAR * rest else None


def _row_text(measure: Measure, mark: dict[str, Scalar], top: float | None) -> str:
    if measure.value is None:
        return measure.reason or "no data"
    number, unit = measure_number(measure.value, measure.unit)
    ends = [measure_number(end, measure.unit)[0] for end in (measure.low, measure.high) if end is not None]
    cut = ", drawn in part" if top and mark["high"] and float(mark["high"]) > top else ""
    interval = f" ({' to '.join(ends)}{cut})" if ends else " (no interval)"
    value = with_unit(number, unit).replace("\u00a0", " ")
    return f"{value}{interval}, n = {plain(Decimal(measure.n))}" + (", saturated" if mark["saturated"] else "")
