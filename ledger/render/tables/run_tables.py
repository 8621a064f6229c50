"""Tables of a run: cells, paired comparisons, verdicts, suites, environment, memory, drills, deviations."""

from collections.abc import Iterable, Sequence

from ledger.analysis.claims.resolve import measure_number, measure_text, run_facts
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Cell, Comparison, Measure, Run, Verdict, environment_words
from ledger.model.values.metrics import DRILL_WORDS, MEMORY_WORDS, metric_words
from ledger.model.values.units import with_unit
from ledger.render.citing.blocks import AcceptanceFigure, CellsTable, ComparisonTable, RunFigure, RunTable
from ledger.render.citing.citations import Citing, Fault
from ledger.render.escape import escaped
from ledger.render.tables.grid import Grid


def upper(text: str) -> str:
    """Return a text with its first letter raised, as a heading begins."""
    return text[:1].upper() + text[1:]


def the_run(name: str, citing: Citing) -> Run:
    """Return the run that a block names, cited.

    Raises:
        Fault: there is no such run.
    """
    citing.cite(f"run:{name}")
    run = citing.evidence.run(name)
    assert run is not None  # cited, so it is there
    return run


def chosen_cells(block: CellsTable | RunFigure | AcceptanceFigure, run: Run) -> list[Cell]:
    """Return the pooled cells of the arms and loads asked for.

    Raises:
        Fault: an arm or load is not there.
    """
    _check_names(block, {c.arm for c in run.cells}, {c.load for c in run.cells}, run.id)
    pooled = [cell for cell in run.cells if cell.repeat is None]
    return [c for c in pooled if (not block.arms or c.arm in block.arms) and (not block.loads or c.load in block.loads)]


def _check_names(block: CellsTable | ComparisonTable | RunFigure | AcceptanceFigure, arms: set[str], loads: set[str], run_id: str) -> None:
    for what, wanted, known in (("arm", block.arms, arms), ("load", block.loads, loads)):
        for name in wanted:
            if name not in known:
                raise Fault("LEDG112", f'{run_id} has no {what} "{name}"; it has {", ".join(sorted(known))}.', "Name one of them.")


def measure_of(metrics: dict[str, Measure], metric: str, where: str) -> Measure:
    """Return one measure.

    Raises:
        Fault: the cell has no such metric.
    """
    if metric not in metrics:
        raise Fault("LEDG105", f"{where} has no {metric}; it has {', '.join(sorted(metrics))}.", "Name one of them.")
    return metrics[metric]


def cells_grid(block: CellsTable, citing: Citing) -> Grid:
    """Return metrics in columns and arms in rows, by load; each value with its interval."""
    run = the_run(block.run, citing)
    cells = chosen_cells(block, run)
    named = [(cell, flagged(cell.arm, run, cell.load, cell.arm)) for cell in cells]
    return _measured_grid("Arm", named, block, run_facts(citing.evidence.catalogue, run, "load"))


def comparisons_grid(block: ComparisonTable, citing: Citing) -> Grid:
    """Return the paired ratios of arms against their base, by load."""
    run = the_run(block.run, citing)
    _check_names(block, {c.arm for c in run.comparisons}, {c.load for c in run.comparisons}, run.id)
    found = [c for c in run.comparisons if (not block.arms or c.arm in block.arms) and (not block.loads or c.load in block.loads)]
    named = [(one, flagged(f"{one.arm} against {one.base}", run, one.load, one.arm, one.base)) for one in found]
    return _measured_grid("Arms", named, block, run_facts(citing.evidence.catalogue, run, "load"))


def flagged(name: str, run: Run, load: str, *arms: str) -> str:
    """Return a row's name, flagged where one of its arms was saturated at the load."""
    return f"{name} [saturated]" if run.is_saturated(load, *arms) else name


Rows = Sequence[tuple[Cell | Comparison, str]]
"""What a table tells by row, and the row's name."""


def _measured_grid(first: str, rows: Rows, block: CellsTable | ComparisonTable, loads: dict[str, str]) -> Grid:
    order = list(loads)
    rows = sorted(rows, key=lambda row: order.index(row[0].load) if row[0].load in order else len(order))
    columns = [_measured_column(metric, rows, block) for metric in block.metrics]
    cells = tuple(
        (escaped(loads.get(one.load, one.load)), escaped(name), *values)
        for (one, name), values in zip(rows, zip(*(values for _, values, _ in columns), strict=True), strict=True)
    )
    grid = Grid(("Load", first, *(header for header, _, _ in columns)), cells, frozenset(range(2, 2 + len(columns))))
    return grid.without_uniform([header for header, _, is_told_once in columns if is_told_once] if len(rows) > 1 else []).grouped()


def _measured_column(metric: str, rows: Rows, block: CellsTable | ComparisonTable) -> tuple[str, list[str], bool]:
    """A metric's heading with its unit, its cells, and whether no row has a value."""
    measures = [measure_of(one.metrics, metric, f"{one.arm}/{one.load}") for one, _ in rows]
    units = {measure_number(measure.value, measure.unit)[1] for measure in measures if measure.value is not None} - _KEPT
    unit = units.pop() if len(units) == 1 else ""
    name = upper(metric_words(metric))
    header = name if not unit or name.casefold().startswith(unit) else f"{name}, {unit}"
    return escaped(header), [escaped(_measure_cell(measure, unit, interval=block.interval)) for measure in measures], not units and not unit


_KEPT = {"x", "count"}
"""Units that stay with their number."""


def _measure_cell(measure: Measure, unit: str, *, interval: bool) -> str:
    if measure.value is None:
        return measure.reason or "no data"
    text = measure_text(measure, interval=interval)
    number, printed = measure_number(measure.value, measure.unit)
    return text.replace(with_unit(number, printed), number, 1) if printed == unit else text


def run_grid(block: RunTable, citing: Citing) -> Grid:
    """Return a run's verdicts, suites, environment, memory, drills or deviations.

    Raises:
        Fault: the run has nothing of the kind.
    """
    run = the_run(block.run, citing)
    match block.kind:
        case "verdicts":
            return _verdicts_grid(run, citing.evidence.catalogue.get(run.protocol, Protocol))
        case "suites":
            suites = [(s.suite, s.arm, f"{s.passed} of {s.passed + s.failed}", str(s.malformed)) for s in run.suites]
            return _escaped_grid(("Suite", "Arm", "Passed", "Malformed"), suites).grouped()
        case "environment":
            facts = run_facts(citing.evidence.catalogue, run, "environment")
            if missing := [key for key in block.keys if key not in facts]:
                raise Fault("LEDG105", f"{run.id} has no environment.{missing[0]}; it has {', '.join(sorted(facts))}.", "Name one of them.")
            return _escaped_grid(
                ("What", "Value"), [(environment_words(key), fact_text(key, run.environment[key])) for key in block.keys or sorted(facts)]
            )
        case "memory":
            return _memory_grid(run)
        case "drills":
            return _drills_grid(run)
        case _:
            return _deviations_grid(run)


def _deviations_grid(run: Run) -> Grid:
    name = "Deviation from the protocol"
    if not run.deviations:
        return Grid((name,), (("none",),))
    return _escaped_grid(("No.", name), [(str(number), text) for number, text in enumerate(run.deviations, 1)])


def _verdicts_grid(run: Run, protocol: Protocol | None) -> Grid:
    questions = {rule.id: rule.question for rule in protocol.rules} if protocol else {}
    rows = [(questions.get(v.rule, v.rule), _outcome(v), v.because) for v in run.verdicts]
    return _escaped_grid(("Question", "Outcome", "Why"), rows or [("none asked", "", "")])


def _outcome(verdict: Verdict) -> str:
    return f"{verdict.outcome}: {verdict.direction}" if verdict.direction else verdict.outcome


def fact_text(key: str, value: object) -> str:
    """Return an entry of an environment as it prints; a size in MiB or GiB."""
    return memory_text(float(value)) if key.endswith("_bytes") and isinstance(value, int | float) else str(value)


def _memory_grid(run: Run) -> Grid:
    if not run.memory:
        raise Fault("LEDG105", f"{run.id} has no memory recorded.", "Drop the table.")
    found = dict.fromkeys(part for parts in run.memory.values() for part in parts)
    parts = [part for part in (*MEMORY_WORDS, *found) if part in found]
    parts = list(dict.fromkeys(parts))
    rows = [(arm, *(_part(measures.get(part)) for part in parts)) for arm, measures in run.memory.items()]
    header = ("Arm", *(MEMORY_WORDS.get(part) or upper(part.replace("-", " ")) for part in parts))
    return Grid(header, tuple(tuple(map(escaped, row)) for row in rows), frozenset(range(1, len(header))))


def _drills_grid(run: Run) -> Grid:
    """Return what each drill showed, in rows, with an arm in each column."""
    if not run.drills:
        raise Fault("LEDG105", f"{run.id} has no fault drills.", "Drop the table.")
    arms = list(dict.fromkeys(one.arm for one in run.drills))
    found = {(one.drill, metric, one.arm): measure for one in run.drills for metric, measure in one.metrics.items()}
    rows = [
        (drill, DRILL_WORDS.get(metric, upper(metric_words(metric))), *(_drilled(found.get((drill, metric, arm))) for arm in arms))
        for drill, metric in dict.fromkeys((drill, metric) for drill, metric, _ in found)
    ]
    return Grid(("Drill", "What", *arms), tuple(tuple(map(escaped, row)) for row in rows), frozenset(range(2, 2 + len(arms)))).grouped()


def _drilled(measure: Measure | None) -> str:
    if measure is None or measure.value is None:
        return (measure.reason if measure else None) or "not recorded"
    return f"{measure.value:.0f}" if measure.unit == "count" else measure_text(measure)


def _part(measure: Measure | None) -> str:
    if measure is None or measure.value is None:
        return (measure.reason if measure else None) or "not recorded"
    return memory_text(measure.value) if measure.unit == "bytes" else measure_text(measure)


def memory_text(size_bytes: float) -> str:
    """Return a size in GiB from 1 GiB on, else in MiB."""
    unit, factor = ("GiB", 2**30) if size_bytes >= 2**30 else ("MiB", 2**20)
    return with_unit(measure_number(size_bytes / factor, "count")[0], unit)


def _escaped_grid(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Grid:
    return Grid(header, tuple(tuple(escaped(cell) for cell in row) for row in rows))
