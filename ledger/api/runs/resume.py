"""Runs that were cut off: which can be resumed, and how the finished run stands to a partial record that landed.

A run's folder lies in the evidence store from its first second; until it ends there is a journal and no record. A
partial record that has landed stays as it is, traces and all: the run goes on in a folder of its own, as a new run.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ledger.bench.journal.journal import NAME, extend, is_at_work, read_journal
from ledger.bench.journal.result import RunResult, read_result
from ledger.bench.plan.plan import cells
from ledger.errors import DataRefusedError
from ledger.model.record import Supersedes
from ledger.store.files.atomic_write import write_atomically

CONTINUES = "goes-on"
"""Kind of the journal's line that names the run whose partial record had landed."""
RESUMED = "The run was interrupted, and finished after this part of it had landed."


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A run that can be resumed."""

    id: str
    cells: int
    """Finished."""
    planned: int
    """All cells of the plan."""

    def __str__(self) -> str:
        return f"{self.id} ({self.cells} of {self.planned} cells finished)"


@dataclass(frozen=True, slots=True)
class Continuation:
    """Where an interrupted run goes on."""

    id: str
    part: str | None = None
    """The run whose journal the new folder begins with, where there is no folder of that id yet."""


def unfinished(evidence: Path, statuses: Mapping[str, str]) -> Iterator[Unfinished]:
    """Yield the runs whose journal lacks something and that no process is writing, in order of id.

    Args:
        evidence: The ledger's evidence folder.
        statuses: Run id to status, of every run on record.
    """
    continued = set()
    candidates = []
    for path in sorted(evidence.glob(f"*/{NAME}")):
        name = path.parent.name
        if statuses.get(name, "partial") != "partial" or is_at_work(path):
            continue
        try:
            result = read_result(path.parent)
        except DataRefusedError:
            continue  # killed before its first line: there is nothing to resume
        continued.add(continued_run(path.parent))
        if result.status != "complete" or name not in statuses:
            candidates.append(progress_of(name, result))
    yield from (run for run in candidates if run.id not in continued)


def progress_of(run_id: str, result: RunResult) -> Unfinished:
    """Return how far a run has come."""
    done = {(trace.arm, trace.load, trace.repeat) for trace in result.traces}
    planned = list(cells(result.protocol))
    return Unfinished(run_id, sum((cell.arm, cell.load, cell.repeat) in done for cell in planned), len(planned))


def continued_run(folder: Path) -> str | None:
    """Return the id of the run whose landed part a folder's journal continues, if there is one."""
    named = [str(line["run"]) for line in read_journal(folder / NAME) if line["kind"] == CONTINUES]
    return named[-1] if named else None


def never_started(journal: Path) -> bool:
    """Whether no engine of a run ever came up, so that there is nothing to record."""
    return not any(line["kind"] == "session-start" for line in read_journal(journal))


def supersession(folder: Path) -> Supersedes | None:
    """Return what a run's record supersedes: the part of it that had landed."""
    part = continued_run(folder)
    return Supersedes(id=part, because="correction", reason=RESUMED) if part else None


def begin_continuation(old: Path, new: Path) -> None:
    """Make a new run's folder and copy into it the journal of one whose record has landed; the old folder stays as it is."""
    content = (old / NAME).read_bytes()
    new.mkdir(parents=True)
    write_atomically(new / NAME, extend(content, {"kind": CONTINUES, "run": old.name}))
