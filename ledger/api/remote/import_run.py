"""The import of a run from another machine: its evidence first, under a hidden name, and its record last.

A crash leaves no run, or the whole of it. The caller holds the ledger's writing lock.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from ledger.api.ledger_files import LedgerFiles
from ledger.api.remote.remote_run import FAULTS, RemoteRun, edited
from ledger.api.runs.runs import Runs
from ledger.bench.journal.evidence import write_evidence
from ledger.bench.journal.evidence_rows import TRACES
from ledger.bench.journal.journal import NAME, extend
from ledger.bench.journal.parquet import read_traces
from ledger.bench.journal.result import IMPORTED, RunResult
from ledger.errors import DataRefusedError, EnvironmentFaultError
from ledger.model.record import Supersedes
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Executor, Run
from ledger.model.values.meaning import meaning_hash

_DRAFT = ".importing-"
RESUMED = "The run was interrupted, and finished on its machine after this part of it had been taken home."


def import_run(remote_run: RemoteRun, executor: Executor, runs: Runs) -> Run:
    """Return the record of a remote run, written with its evidence; see `Remote.import_run`."""
    part = earlier_part(remote_run, runs)
    planned, deviations = _planned(remote_run.result, runs.files)
    remove_cut_off_imports(remote_run, runs)
    run_id = runs.new_id(remote_run.protocol.id, remote_run.started_on(runs.files.time_zone))
    supersedes = Supersedes(id=part.id, because="correction", reason=RESUMED) if part else None
    line = {
        "kind": IMPORTED,
        "planned": planned,
        "deviations": list(deviations),
        "executor": executor.model_dump(mode="json"),
    }
    with _evidence(extend(remote_run.journal, line), run_id, runs, source=remote_run.folder) as result:
        return runs.record(run_id, result, executor, supersedes=supersedes)


def earlier_part(remote_run: RemoteRun, runs: Runs) -> Run | None:
    """Return the record of the part that was imported before the run was finished.

    Raises:
        DataRefusedError: what was imported before has as much.
    """
    catalogue = runs.files.catalogue
    started = (remote_run.protocol.id, remote_run.result.started_at)
    current = [run for run in catalogue.of(Run) if run.id not in catalogue.successors]
    same = [run for run in current if (run.protocol, run.started_at) == started]
    for run in same:
        if run.status != "partial" or not _has_more(remote_run.result, run, runs):
            raise DataRefusedError(f"{remote_run.folder}: was taken already, as {run.id}. See `ledger show {run.id}`.")
    return same[0] if same else None


def _has_more(result: RunResult, part: Run, runs: Runs) -> bool:
    """Whether a result holds all of a part and more; where the part's traces are not here, its cells have to do."""
    path = runs.folder(part.id) / TRACES
    kept = read_traces(path) if path.is_file() else []
    count = len(kept) or sum(cell.requests.get("sent", 0) for cell in part.cells)
    return (result.status == "complete" or len(result.traces) > count) and list(result.traces[: len(kept)]) == kept


def _planned(result: RunResult, files: LedgerFiles) -> tuple[bool, tuple[str, ...]]:
    """Return whether a run was planned, and a deviation where it says so and the history does not."""
    if not result.planned:
        return False, ()
    late = tuple(_late(result.protocol, result.started_at, files))
    return not late, (f"unplanned: {'; '.join(late)}",) if late else ()


def _late(protocol: Protocol, started_at: datetime, files: LedgerFiles) -> Iterator[str]:
    """Yield what of a plan had not landed when its run started."""
    recorded = files.versions.recorded_times()
    for record_id in (protocol.id, protocol.workload, *protocol.suites):
        at = recorded.get((record_id, meaning_hash(files.entry(record_id).record)))
        if at is None:
            yield f"{record_id} has not landed"
        elif at > started_at:
            yield f"{record_id} landed at {at:%Y-%m-%d %H:%M:%S} UTC, after the start at {started_at:%Y-%m-%d %H:%M:%S}"


def remove_cut_off_imports(remote_run: RemoteRun, runs: Runs) -> None:
    """Remove evidence of this very run that has no record: what an import that was killed left, so that its id is free again."""
    started_on = remote_run.started_on(runs.files.time_zone)
    for folder in runs.folder("").glob(f"{started_on}-{remote_run.protocol.id}*"):
        journal = folder / NAME
        is_recorded = folder.name in runs.files.catalogue.by_id
        if not is_recorded and journal.is_file() and journal.read_bytes().startswith(remote_run.journal):
            shutil.rmtree(folder)


@contextmanager
def _evidence(journal: bytes, run_id: str, runs: Runs, *, source: Path) -> Iterator[RunResult]:
    """Yield a journal's result with its evidence in place; the evidence is removed again where no record follows.

    Args:
        journal: The lines of the run and of its import.
        run_id: What it is called here.
        runs: Those of the ledger.
        source: The folder that it came from, for messages.
    """
    folder = runs.folder(run_id)
    try:
        yield _place_evidence(journal, folder)
    except BaseException as error:
        if not runs.record_path(run_id).exists():
            shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, OSError):
            raise EnvironmentFaultError(f"{folder}: cannot be written: {error.strerror}. Nothing was taken.") from error
        if isinstance(error, FAULTS):
            raise edited(source / NAME, error) from error
        raise


def _place_evidence(journal: bytes, folder: Path) -> RunResult:
    """Return the result of a journal, written with its evidence into a new folder that appears whole."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    for left in folder.parent.glob(f"{_DRAFT}*"):  # by an import that was killed; the lock keeps others out
        shutil.rmtree(left, ignore_errors=True)
    with TemporaryDirectory(dir=folder.parent, prefix=_DRAFT, ignore_cleanup_errors=True) as name:
        draft = Path(name) / folder.name
        draft.mkdir()
        (draft / NAME).write_bytes(journal)
        result = write_evidence(draft)
        _flush(draft)
        draft.rename(folder)
    return result


def _flush(folder: Path) -> None:
    """Put the files of a folder on the disk, so that no record outlives its evidence."""
    for path in (*folder.iterdir(), folder):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
