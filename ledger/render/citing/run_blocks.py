"""What a block asks of a run: the run itself, cited, and the cells, comparisons and metrics that it names."""

from ledger.model.records.run import Cell, Comparison, Measure, Run
from ledger.render.citing.blocks import AcceptanceFigure, CellsTable, ComparisonTable, RunFigure
from ledger.render.citing.citations import Citing, UnprintableError


def cite_run(name: str, citing: Citing) -> Run:
    """Return the run that a block names, cited.

    Raises:
        UnprintableError: there is no such run.
    """
    citing.cite(f"run:{name}")
    run = citing.evidence.run(name)
    assert run is not None  # cited, so it is there
    return run


def select_cells(block: CellsTable | RunFigure | AcceptanceFigure, run: Run) -> list[Cell]:
    """Return the pooled cells of the arms and loads that a block asks for, of all where it names none.

    Raises:
        UnprintableError: an arm or load is not there.
    """
    _check_names(block, {c.arm for c in run.cells}, {c.load for c in run.cells}, run_id=run.id)
    return [cell for cell in run.cells if cell.repeat is None and _is_asked(block, cell)]


def select_comparisons(block: ComparisonTable, run: Run) -> list[Comparison]:
    """Return the comparisons of the arms and loads that a block asks for, all where it names none.

    Raises:
        UnprintableError: an arm or load is not there.
    """
    _check_names(block, {c.arm for c in run.comparisons}, {c.load for c in run.comparisons}, run_id=run.id)
    return [comparison for comparison in run.comparisons if _is_asked(block, comparison)]


def find_measure(holder: Cell | Comparison, metric: str) -> Measure:
    """Return one measure of a cell or comparison.

    Raises:
        UnprintableError: it has no such metric.
    """
    if metric not in holder.metrics:
        known = ", ".join(sorted(holder.metrics))
        raise UnprintableError("LEDG105", f"{holder.arm}/{holder.load} has no {metric}; it has {known}.", "Name one of them.")
    return holder.metrics[metric]


_Block = CellsTable | ComparisonTable | RunFigure | AcceptanceFigure


def _is_asked(block: _Block, holder: Cell | Comparison) -> bool:
    return (not block.arms or holder.arm in block.arms) and (not block.loads or holder.load in block.loads)


def _check_names(block: _Block, arms: set[str], loads: set[str], *, run_id: str) -> None:
    for what, wanted, known in (("arm", block.arms, arms), ("load", block.loads, loads)):
        for name in wanted:
            if name not in known:
                raise UnprintableError(
                    "LEDG112", f'{run_id} has no {what} "{name}"; it has {", ".join(sorted(known))}.', "Name one of them."
                )
