"""Runs that take place elsewhere: packed here, executed there, taken home.

Evidence comes first, under a hidden name, and the record last: a crash leaves no run, or the whole of it.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from ledger import __version__
from ledger.api.runs.benchmarks import Benchmarks
from ledger.errors import DataRefused, EnvironmentFault
from ledger.model.record import Supersedes
from ledger.model.records.run import Executor, Run
from ledger.model.records.suite import Suite
from ledger.model.records.workload import Workload
from ledger.model.values.meaning import meaning_hash

if TYPE_CHECKING:
    from ledger.api.remote.import_run import Brought
    from ledger.bench.journal.result import RunResult
    from ledger.model.records.protocol import Protocol

_DRAFT = ".taking-"
RESUMED = "The run was interrupted, and finished on its machine after this part of it had been taken home."


@dataclass(frozen=True, slots=True)
class Packed:
    """A pack, and what to tell about it."""

    content: bytes
    prompts: int
    items: int
    permission: str
    """Who may use the prompts, which travel in full."""


class Away(Benchmarks):
    """What is measured on other machines."""

    def pack(self, protocol_id: str, *, planned: bool) -> Packed:
        """Return a protocol with everything that a machine without this ledger needs to run it.

        Raises:
            UsageError: there is no such protocol.
            DataRefused: a file that it needs is missing, changed or faulty.
        """
        from ledger.bench.engine.redaction import strictest
        from ledger.bench.pack.pack import pack_bytes  # the runner is not needed by queries
        from ledger.bench.pack.packed_plan import PackedFile, PackedPlan

        protocol = self.runs.protocol(protocol_id)
        inputs = self.runs.inputs(protocol)
        files = [PackedFile(id=record_id, sha256=digest) for record_id, digest in self.runs.input_hashes(protocol).items()]
        head = self.head()
        plan = PackedPlan(
            version=__version__,
            protocol=protocol,
            protocol_meaning=meaning_hash(protocol),
            protocol_commit=head.commit if head else None,
            planned=planned,
            telemetry=strictest(protocol.telemetry, self.runs.telemetry()),
            workload=files[0],
            suites=tuple(files[1:]),
        )
        content = pack_bytes(plan, {file.id: self._attached(file.id) for file in files})
        workload = self.catalogue.get(protocol.workload, Workload)
        permission = workload.permission if workload else ""
        return Packed(content, len(inputs.prompts), len(inputs.items), permission)

    def _attached(self, record_id: str) -> bytes:
        """Return the file of a workload or suite."""
        from ledger.store.files.attached_files import attached_path  # as above

        entry = self.entry(record_id)
        record = entry.record
        name = record.prompts if isinstance(record, Workload) else record.items if isinstance(record, Suite) else ""
        return Path(self.root, attached_path(entry, name)).read_bytes()

    def brought(self, folder: Path) -> "Brought":
        """Return the run in a folder that was brought from elsewhere, once it agrees with this ledger's plan.

        Raises:
            UsageError: there is no run in it, or more than one.
            DataRefused: it is torn, edited, one of another plan, or has been taken already.
        """
        from ledger.api.remote.import_run import read_brought  # as above

        brought = read_brought(folder, self.runs)
        self._earlier_part(brought)
        return brought

    def take(self, brought: "Brought", executor: Executor) -> Run:
        """Return a brought run's record, written with its evidence; a finished run supersedes the part of it taken before.

        Raises:
            EnvironmentFault: the evidence cannot be written, or no history tells what had landed.
            DataRefused: it has been taken meanwhile, or its journal holds what no run can.
        """
        from ledger.store.files.atomic_write import writing_lock  # as above

        with writing_lock(self.root / self.settings.paths.records):
            return type(self).open(self.root, now=self.now)._taken(brought, executor)  # read anew: others may have written

    def _taken(self, brought: "Brought", executor: Executor) -> Run:
        """Return the record, written; nobody else writes meanwhile."""
        part = self._earlier_part(brought)
        planned, deviations = self._planned(brought.result)
        run_id = self._free_id(brought)
        supersedes = Supersedes(id=part.id, because="correction", reason=RESUMED) if part else None
        with self._evidence(brought, run_id) as result:
            told = replace(result, planned=planned, deviations=(*deviations, *result.deviations))
            return self.runs.record(run_id, told, executor.relation, organisation=executor.organisation, supersedes=supersedes)

    def _earlier_part(self, brought: "Brought") -> Run | None:
        """Return the record of the part that was taken before the run was finished; refuse what adds nothing to it."""
        started_at = brought.result.started_at
        standing = [run for run in self.catalogue.of(Run) if run.id not in self.catalogue.successors]
        same = [run for run in standing if (run.protocol, run.started_at) == (brought.protocol.id, started_at)]
        for run in same:
            if run.status != "partial" or not self._goes_on(run, brought.result):
                raise DataRefused(f"{brought.folder}: was taken already, as {run.id}. See `ledger show {run.id}`.")
        return same[0] if same else None

    def _goes_on(self, part: Run, result: "RunResult") -> bool:
        """Whether a result holds all of a part and more; where the part's traces are not here, its cells have to do."""
        from ledger.bench.journal.parquet import read_traces
        from ledger.bench.journal.result import TRACES  # as above

        path = self.runs.folder(part.id) / TRACES
        kept = read_traces(path) if path.is_file() else []
        more = result.status == "complete" or len(result.traces) > (len(kept) or sum(cell.requests.get("sent", 0) for cell in part.cells))
        return more and list(result.traces[: len(kept)]) == kept

    def _planned(self, result: "RunResult") -> tuple[bool, tuple[str, ...]]:
        """Return whether a run was planned, and a deviation where it says so and the history does not."""
        if not result.planned:
            return False, ()
        late = tuple(self._late(result.protocol, result.started_at))
        return not late, (f"unplanned: {'; '.join(late)}",) if late else ()

    def _late(self, protocol: "Protocol", started_at: datetime) -> Iterator[str]:
        """Yield what of a plan had not landed when its run started."""
        recorded = self.versions.recorded()
        for record_id in (protocol.id, protocol.workload, *protocol.suites):
            at = recorded.get((record_id, meaning_hash(self.entry(record_id).record)))
            if at is None:
                yield f"{record_id} has not landed"
            elif at > started_at:
                yield f"{record_id} landed at {at:%Y-%m-%d %H:%M:%S} UTC, after the start at {started_at:%Y-%m-%d %H:%M:%S}"

    def _free_id(self, brought: "Brought") -> str:
        """Return a run id that is not taken, dated by the start; that of the same run where its taking was cut off."""
        started_on = brought.result.started_at.astimezone(ZoneInfo(self.settings.time_zone)).date()
        evidence = self.root / self.settings.paths.evidence
        for folder in evidence.glob(f"{started_on}-{brought.protocol.id}*"):
            if folder.name not in self.catalogue.by_id and _journal_of(folder) == brought.journal:
                shutil.rmtree(folder)
        return self.runs.new_id(brought.protocol.id, started_on)

    @contextmanager
    def _evidence(self, brought: "Brought", run_id: str) -> "Iterator[RunResult]":
        """Yield a run's result with its evidence in place; it goes again where no record follows."""
        from ledger.api.remote.import_run import FAULTS, edited  # as above
        from ledger.bench.journal.journal import NAME
        from ledger.bench.run.runner import with_evidence

        folder = self.runs.folder(run_id)
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            for left in folder.parent.glob(f"{_DRAFT}*"):  # by a taking that was killed; the lock keeps others out
                shutil.rmtree(left, ignore_errors=True)
            with TemporaryDirectory(dir=folder.parent, prefix=_DRAFT, ignore_cleanup_errors=True) as name:
                draft = Path(name) / run_id
                draft.mkdir()
                (draft / NAME).write_bytes(brought.journal)
                result = with_evidence(draft)
                _flush(draft)
                draft.rename(folder)
            yield result
        except BaseException as error:
            if not self.runs.record_path(run_id).exists():
                shutil.rmtree(folder, ignore_errors=True)
            if isinstance(error, OSError):
                raise EnvironmentFault(f"{folder}: cannot be written: {error.strerror}. Nothing was taken.") from error
            if isinstance(error, FAULTS):
                raise edited(brought.folder / NAME, error) from error
            raise


def _journal_of(folder: Path) -> bytes | None:
    """Return the bytes of the journal in a folder, None without one."""
    from ledger.bench.journal.journal import NAME  # as above

    return (folder / NAME).read_bytes() if (folder / NAME).is_file() else None


def _flush(folder: Path) -> None:
    """Put the files of a folder on the disk, so that no record outlives its evidence."""
    for path in (*folder.iterdir(), folder):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
