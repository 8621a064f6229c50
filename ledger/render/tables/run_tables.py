"""A run's tables in an article: cells, paired comparisons, verdicts, suites, environment, memory, drills, deviations."""

from collections.abc import Callable, Iterable, Sequence

from ledger.analysis.claims.resolve import run_facts
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Cell, Comparison, Run, Verdict
from ledger.model.values.metrics import metric_words
from ledger.render.citing.blocks import CellsTable, ComparisonTable, RunTable
from ledger.render.citing.citations import Citing, UnprintableError
from ledger.render.citing.run_blocks import cite_run, find_measure, select_cells, select_comparisons
from ledger.render.escape import escaped
from ledger.render.runs.measure_text import capitalise, flag_cells, heading_with_unit, value_or_size_text, value_text
from ledger.render.runs.rows import drill_words, environment_row, memory_parts, part_words, passed_text
from ledger.render.tables.grid import Grid


def cells_grid(block: CellsTable, citing: Citing) -> Grid:
    """Return metrics in columns and arms in rows, by load; each value with its interval.

    Raises:
        UnprintableError: the run, an arm, a load or a metric is not there.
    """
    run = cite_run(block.run, citing)
    rows = [(cell, flag_cells(cell.arm, cell)) for cell in select_cells(block, run)]
    return _measured_grid("Arm", rows, block, loads=run_facts(citing.evidence.catalogue, run, "load"))


def comparisons_grid(block: ComparisonTable, citing: Citing) -> Grid:
    """Return the paired ratios of arms against their base, by load.

    Raises:
        UnprintableError: the run, an arm, a load or a metric is not there.
    """
    run = cite_run(block.run, citing)
    rows = [
        (pair, flag_cells(f"{pair.arm} against {pair.base}", run.cell(pair.arm, pair.load), run.cell(pair.base, pair.load)))
        for pair in select_comparisons(block, run)
    ]
    return _measured_grid("Arms", rows, block, loads=run_facts(citing.evidence.catalogue, run, "load"))


Rows = Sequence[tuple[Cell | Comparison, str]]
"""What a row shows, and its name."""


def _measured_grid(first: str, rows: Rows, block: CellsTable | ComparisonTable, *, loads: dict[str, str]) -> Grid:
    order = list(loads)
    rows = sorted(rows, key=lambda row: order.index(row[0].load) if row[0].load in order else len(order))
    columns = [_measured_column(metric, rows, block) for metric in block.metrics]
    cells = tuple(
        (escaped(loads.get(holder.load, holder.load)), escaped(name), *values)
        for (holder, name), values in zip(rows, zip(*(values for _, values, _ in columns), strict=True), strict=True)
    )
    grid = Grid(("Load", first, *(header for header, _, _ in columns)), cells, frozenset(range(2, 2 + len(columns))))
    without_value = [header for header, _, has_value in columns if not has_value]
    return grid.without_uniform(without_value if len(rows) > 1 else []).grouped()


def _measured_column(metric: str, rows: Rows, block: CellsTable | ComparisonTable) -> tuple[str, list[str], bool]:
    """A metric's heading with its unit, its cells, and whether any row has a value."""
    measures = [find_measure(holder, metric) for holder, _ in rows]
    with_value = [measure for measure in measures if measure.value is not None]
    header, unit = heading_with_unit(capitalise(metric_words(metric)), with_value)
    return escaped(header), [escaped(value_text(measure, unit, interval=block.interval)) for measure in measures], bool(with_value)


def run_grid(block: RunTable, citing: Citing) -> Grid:
    """Return a run's verdicts, suites, environment, memory, drills or deviations.

    Raises:
        UnprintableError: the run has nothing of the kind.
    """
    return _GRIDS[block.kind](block, cite_run(block.run, citing), citing)


def _verdicts_grid(_block: RunTable, run: Run, citing: Citing) -> Grid:
    protocol = citing.evidence.catalogue.get(run.protocol, Protocol)
    questions = {rule.id: rule.question for rule in protocol.rules} if protocol else {}
    rows = [(questions.get(v.rule, v.rule), _outcome(v), v.because) for v in run.verdicts]
    return _escaped_grid(("Question", "Outcome", "Why"), rows or [("none asked", "", "")])


def _outcome(verdict: Verdict) -> str:
    return f"{verdict.outcome}: {verdict.direction}" if verdict.direction else verdict.outcome


def _suites_grid(_block: RunTable, run: Run, _citing: Citing) -> Grid:
    rows = [(result.suite, result.arm, passed_text(result), str(result.malformed)) for result in run.suites]
    return _escaped_grid(("Suite", "Arm", "Passed", "Malformed"), rows).grouped()


def _environment_grid(block: RunTable, run: Run, _citing: Citing) -> Grid:
    known = sorted(run.environment)
    if missing := [key for key in block.keys if key not in run.environment]:
        raise UnprintableError("LEDG105", f"{run.id} has no environment.{missing[0]}; it has {', '.join(known)}.", "Name one of them.")
    return _escaped_grid(("What", "Value"), [environment_row(key, run.environment[key]) for key in block.keys or known])


def _memory_grid(_block: RunTable, run: Run, _citing: Citing) -> Grid:
    if not run.memory:
        raise UnprintableError("LEDG105", f"{run.id} has no memory recorded.", "Drop the table.")
    parts = memory_parts(run.memory.values())
    rows = [(arm, *(value_or_size_text(measures.get(part), interval=False) for part in parts)) for arm, measures in run.memory.items()]
    return _escaped_grid(("Arm", *map(part_words, parts)), rows, numeric_from=1)


def _drills_grid(_block: RunTable, run: Run, _citing: Citing) -> Grid:
    """Return what each drill showed, in rows, with an arm in each column."""
    if not run.drills:
        raise UnprintableError("LEDG105", f"{run.id} has no fault drills.", "Drop the table.")
    arms = list(dict.fromkeys(result.arm for result in run.drills))
    measures = {(result.drill, metric, result.arm): measure for result in run.drills for metric, measure in result.metrics.items()}
    rows = [
        (drill, drill_words(metric), *(value_text(measures.get((drill, metric, arm)), interval=False) for arm in arms))
        for drill, metric in dict.fromkeys((drill, metric) for drill, metric, _ in measures)
    ]
    return _escaped_grid(("Drill", "What", *arms), rows, numeric_from=2).grouped()


def _deviations_grid(_block: RunTable, run: Run, _citing: Citing) -> Grid:
    name = "Deviation from the protocol"
    if not run.deviations:
        return Grid((name,), (("none",),))
    return _escaped_grid(("No.", name), [(str(number), text) for number, text in enumerate(run.deviations, 1)])


_GRIDS: dict[str, Callable[[RunTable, Run, Citing], Grid]] = {
    "verdicts": _verdicts_grid,
    "suites": _suites_grid,
    "environment": _environment_grid,
    "memory": _memory_grid,
    "drills": _drills_grid,
    "deviations": _deviations_grid,
}
"""Which function makes the table of which kind of block."""


def _escaped_grid(header: tuple[str, ...], rows: Iterable[tuple[str, ...]], numeric_from: int | None = None) -> Grid:
    """A grid of a record's texts; columns from `numeric_from` on hold numbers."""
    numeric = frozenset(range(numeric_from, len(header))) if numeric_from is not None else frozenset()
    return Grid(header, tuple(tuple(map(escaped, row)) for row in rows), numeric)
