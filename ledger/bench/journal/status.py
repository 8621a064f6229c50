"""What became of a run, from its journal and its plan. Pure.

`partial`: a cell, suite or drill of the plan is unfinished, because the run was stopped or an engine died.
`failed`: all were run to their end, and in some cell fewer requests were answered than the plan needs.
`invalid`: something that was finished does not hold what the plan wants of it.
`complete`: all was run, and every cell counts.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Literal

from ledger.analysis.cells.completeness import NO_SHARE, why_not_counted
from ledger.bench.journal.drill_lines import finished_drills, planned_drills
from ledger.bench.journal.journal import Line
from ledger.bench.journal.plan_fit import finished_cell_counts, misfits
from ledger.bench.plan.plan import PlannedCell, cells
from ledger.errors import DataRefusedError
from ledger.model.records.protocol import Protocol

Status = Literal["complete", "partial", "failed", "invalid"]


def status_of(lines: Sequence[Line], protocol: Protocol) -> Status:
    """Return what became of a run.

    Args:
        lines: Its journal, the header first.
        protocol: Its plan.
    """
    if next(misfits(lines, protocol, prompt_ids(lines[0])), None):
        return "invalid"
    counts = finished_cell_counts(lines)
    if is_unfinished(lines, protocol, counts):
        return "partial"
    return "failed" if short_cells(protocol, counts) else "complete"


def is_unfinished(lines: Sequence[Line], protocol: Protocol, counts: Mapping[PlannedCell, Mapping[str, int]]) -> bool:
    """Whether a cell, suite or drill of the plan has not come to its end."""
    if any(cell not in counts for cell in cells(protocol)) or planned_drills(protocol) - finished_drills(lines).keys():
        return True
    return bool(protocol.suites) and len(finished_suites(lines)) < len(protocol.arms)


def short_cells(protocol: Protocol, counts: Mapping[PlannedCell, Mapping[str, int]]) -> dict[PlannedCell, str]:
    """Return the finished cells whose numbers count for nothing, each with the reason, such as `48 of 72 completed`."""
    planned = {load.id: load.requests for load in protocol.loads}
    share = allowed_failure_share(protocol)
    reasons = {cell: why_not_counted(counts[cell], planned[cell.load], share) for cell in cells(protocol) if cell in counts}
    return {cell: reason for cell, reason in reasons.items() if reason}


def allowed_failure_share(protocol: Protocol) -> Decimal:
    """Return the share of a cell's requests that the plan allows to come to no end."""
    return NO_SHARE if protocol.allowed_failure_share is None else protocol.allowed_failure_share


def finished_suites(lines: Sequence[Line]) -> set[str]:
    """Return the arms that answered every suite."""
    return {line["arm"] for line in lines if line["kind"] == "suites-end"}


def prompt_ids(header: Line) -> list[str]:
    """Return the prompts of a run's workload, in order."""
    return [prompt["id"] for prompt in header["prompts"]]


def refuse_misfit(path: Path, lines: Sequence[Line], protocol: Protocol) -> None:
    """Compare what a journal holds of finished cells, suites and drills with its plan.

    Raises:
        DataRefusedError: a line does not fit; it is named.
    """
    misfit = next(misfits(lines, protocol, prompt_ids(lines[0])), None)
    if misfit:
        raise DataRefusedError(f"{path}:{misfit.line}: {misfit.message}. Take the folder as it was written.")
