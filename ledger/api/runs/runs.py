"""Runs of a ledger: executed, resumed, recorded and verified.

A run's folder lies in the evidence store from its first second: the journal while it runs, the traces when it is
done. The record is written last and in one piece.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path

from ledger.api.ledger_files import LedgerFiles
from ledger.api.runs.plans import Plans
from ledger.api.runs.resume import (
    Continuation,
    Unfinished,
    begin_continuation,
    continued_run,
    never_started,
    progress_of,
    supersession,
    unfinished,
)
from ledger.api.runs.run_record import run_json, run_of
from ledger.api.runs.verification import RECORDED, has_journal, verify
from ledger.bench.journal.evidence import write_evidence
from ledger.bench.journal.journal import NAME as JOURNAL
from ledger.bench.journal.journal import is_at_work
from ledger.bench.journal.result import RunResult, read_result
from ledger.bench.run.progress import Report, silent
from ledger.bench.run.run_request import BackendFactory, RunRequest
from ledger.bench.run.runner import resume, run_protocol
from ledger.bench.run.signals import end_signals_as_ctrl_c
from ledger.bench.vllm.backend import VllmBackend
from ledger.errors import DataRefusedError, EnvironmentFaultError, Problem, StoppedError, UsageError
from ledger.model.record import Supersedes
from ledger.model.records.protocol import Protocol, Telemetry
from ledger.model.records.run import Executor, Run
from ledger.store.files.atomic_write import write_atomically


class Runs:
    """The runs of one ledger; `backend_factory` makes what they run on."""

    def __init__(self, files: LedgerFiles, plans: Plans, backend_factory: BackendFactory = VllmBackend) -> None:
        self.files = files
        self.plans = plans
        self.backend_factory = backend_factory

    # What there is

    def run(self, run_id: str) -> Run:
        """Return a run of the ledger.

        Raises:
            UsageError: there is none of that id.
        """
        return self.files.record(Run, run_id)

    def folder(self, run_id: str) -> Path:
        """Return where a run's evidence lies."""
        return self.files.root / self.files.settings.paths.evidence / run_id

    def record_path(self, run_id: str) -> Path:
        """Return where a run's record lies."""
        return self.files.root / self.files.settings.paths.records / "runs" / f"{run_id}.json"

    def new_id(self, protocol_id: str, today: date) -> str:
        """Return a run id that no record or folder has: the day, the protocol, and a number from the second run of a day on."""
        base = f"{today}-{protocol_id}"
        names = (base if number == 1 else f"{base}-{number}" for number in range(1, 1000))
        return next(name for name in names if name not in self.files.catalogue.by_id and not self.folder(name).exists())

    def telemetry(self) -> Telemetry:
        """Return the most that this ledger lets any run keep."""
        policy = self.files.settings.telemetry
        return Telemetry(prompts=policy.prompts, outputs=policy.outputs, allowed_by=policy.allowed_by or self.files.settings.organisation)

    def unfinished(self) -> list[Unfinished]:
        """Return the runs that can be resumed here."""
        return list(unfinished(self.folder(""), {run.id: run.status for run in self.files.catalogue.of(Run)}))

    # Run

    def request(self, protocol_id: str, *, model: Path | None, planned: bool, today: date, progress: Report = silent) -> RunRequest:
        """Return what the runner needs to run a protocol under a new id; nothing is written.

        Args:
            protocol_id: The plan.
            model: The folder of the model; by default the cached one of the plan's name.
            planned: Whether the plan had landed before.
            today: The day of the new id.
            progress: Called after every request.

        Raises:
            UsageError: there is no such protocol.
            DataRefusedError: one of its files is missing or changed.
            EnvironmentFaultError: the model is not there.
        """
        protocol = self.plans.protocol(protocol_id)
        head = self.files.head()
        request = self._request(protocol, self.folder(self.new_id(protocol_id, today)), model=model, progress=progress)
        command = f"ledger bench run {protocol_id}{'' if planned else ' --unplanned'}"
        return replace(request, protocol_commit=head.commit if head else None, planned=planned, command=command)

    def execute(self, request: RunRequest, executor: str) -> Run:
        """Run a protocol and return the run, recorded under `records/runs/`; `executor` is how who runs it stands to this ledger."""
        run_id = request.out_dir.name
        with self._recording_what_finished(run_id, executor):
            result = run_protocol(replace(request, executor=self.own_executor(executor)))
        return self.record(run_id, result, self.own_executor(executor))

    def resume(self, run_id: str, *, model: Path | None, executor: str, today: date, progress: Report = silent) -> Run:
        """Finish an interrupted run and return it; where its partial record has landed, as a new run that supersedes it.

        Raises:
            UsageError: no such run was interrupted here, or it is complete and has landed.
            DataRefusedError: somebody else executed it.
        """
        continuation = self.continuation(run_id, today)
        folder = self.folder(continuation.id)
        protocol = interrupted_protocol(self.folder(continuation.part) if continuation.part else folder)
        request = self._request(protocol, folder, model=model, progress=progress)
        if continuation.part:
            begin_continuation(self.folder(continuation.part), folder)
        with self._recording_what_finished(continuation.id, executor):
            result = resume(replace(request, executor=self.own_executor(executor)))
        return self.record(continuation.id, result, self.own_executor(executor), supersedes=supersession(folder))

    def _request(self, protocol: Protocol, folder: Path, *, model: Path | None, progress: Report) -> RunRequest:
        """Return what the runner needs to run a protocol into a folder."""
        inputs = self.plans.inputs(protocol)
        return RunRequest(
            protocol=protocol,
            prompts=inputs.prompts,
            suite_items=inputs.items,
            model_path=self.plans.model_folder(protocol.model.name, model),
            out_dir=folder,
            telemetry=self.telemetry(),
            inputs=self.plans.input_hashes(protocol),
            backend_factory=self.backend_factory,
            progress=progress,
        )

    @contextmanager
    def _recording_what_finished(self, run_id: str, executor: str) -> Iterator[None]:
        """Write the partial record where a run stops before its end, and say how it goes on."""
        journal = self.folder(run_id) / JOURNAL
        before = journal.stat().st_size if journal.is_file() else 0
        try:
            with end_signals_as_ctrl_c():
                yield
        except (KeyboardInterrupt, EnvironmentFaultError) as stop:
            kind, said = (
                (StoppedError, "stopped.") if isinstance(stop, KeyboardInterrupt) else (EnvironmentFaultError, f"{str(stop).rstrip('.')}.")
            )
            if not journal.is_file() or journal.stat().st_size == before or (kind is EnvironmentFaultError and never_started(journal)):
                raise kind(f"{said} Nothing was measured." if kind is StoppedError else said) from stop
            try:
                self._record_journal(run_id, executor)
            except EnvironmentFaultError:
                later = f"`ledger bench record {run_id}` does that once there is room."
                raise kind(f"{said} The part could not be recorded either; {later}") from stop
            done = progress_of(run_id, read_result(journal.parent))
            raise kind(f"{said} {done} recorded as partial. Continue with `ledger bench resume {run_id}`.") from stop

    def continuation(self, run_id: str, today: date) -> Continuation:
        """Return under which id an interrupted run goes on: its own, or another one where its partial record has landed.

        Raises:
            UsageError: there is no such run here, or it is complete and has landed.
            DataRefusedError: somebody else executed it.
        """
        self._require_journal(run_id)
        recorded = self.files.catalogue.get(run_id, Run)
        if recorded and recorded.executor.organisation != self.files.settings.organisation:
            where = f"{recorded.executor.organisation} executed it"
            raise DataRefusedError(f"{run_id}: {where}. Have it finished there, then `ledger bench take` it again.")
        if not self.files.has_landed(run_id):
            return Continuation(run_id)
        if successor := self.files.catalogue.successors.get(run_id):
            return self.continuation(successor.record.id, today)
        if self.run(run_id).status == "complete":
            raise UsageError(f"{run_id}: is complete and has landed. There is nothing to resume; run its protocol again.")
        begun = [run.id for run in self.unfinished() if continued_run(self.folder(run.id)) == run_id]
        return Continuation(begun[0]) if begun else Continuation(self.new_id(self.run(run_id).protocol, today), part=run_id)

    def _require_journal(self, run_id: str) -> None:
        """Refuse a run that has no journal here.

        Raises:
            UsageError: it has none.
        """
        if not (self.folder(run_id) / JOURNAL).is_file():
            known = ", ".join(map(str, self.unfinished()))
            raise UsageError(f"{run_id}: no journal of it here. {f'Interrupted are {known}.' if known else 'No run was interrupted here.'}")

    # Record

    def record_interrupted(self, run_id: str, executor: str) -> Run:
        """Write the record of an interrupted run, as far as its journal goes, and return it.

        Raises:
            UsageError: no such run was interrupted here.
            DataRefusedError: it is at work, its record has landed, or its record has as much already.
        """
        self._require_journal(run_id)
        if self.files.has_landed(run_id):
            raise DataRefusedError(
                f"{run_id}: its record has landed and stays as it is. Finish the run with `ledger bench resume {run_id}`."
            )
        return self._record_journal(run_id, executor)

    def _record_journal(self, run_id: str, executor: str) -> Run:
        """Return the record of a run as far as its journal goes, written with its evidence.

        Raises:
            DataRefusedError: the run is at work, its first line was never written, or its record has as much already.
        """
        folder = self.folder(run_id)
        if is_at_work(folder / JOURNAL):
            raise DataRefusedError(f"{run_id}: is at work in another process. Wait for it, or stop it first.")
        recorded = self.files.catalogue.get(run_id, Run)
        if recorded and read_result(folder).finished_at <= recorded.finished_at:
            raise DataRefusedError(f"{run_id}: is on record as far as it went. Finish it with `ledger bench resume {run_id}`.")
        return self.record(run_id, write_evidence(folder), self.own_executor(executor), supersedes=supersession(folder))

    def record(self, run_id: str, result: RunResult, executor: Executor, *, supersedes: Supersedes | None = None) -> Run:
        """Return the record of a result, written to `records/runs/`.

        Raises:
            EnvironmentFaultError: it cannot be written; the run itself stands in its journal.
        """
        run = run_of(run_id, result, executor=executor, author=self.files.settings.organisation, supersedes=supersedes)
        path = self.record_path(run_id)
        try:
            write_atomically(path, run_json(run))
        except OSError as error:
            remedy = f"The run stands in its journal: make room, then type `ledger bench record {run_id}`."
            raise EnvironmentFaultError(f"{path}: cannot be written: {error.strerror}. {remedy}") from error
        return run

    def own_executor(self, relation: str) -> Executor:
        """Return this ledger's organisation as the executor of a run."""
        return Executor.model_validate({"relation": relation, "organisation": self.files.settings.organisation})

    # After it

    def verify(self, run_id: str) -> list[Problem]:
        """Return everything in a run's record that its evidence does not give, placed."""
        run = self.run(run_id)
        protocol = self.plans.protocol(run.protocol)
        entry, inputs = self.files.catalogue.by_id[run_id], self.plans.inputs(protocol)
        return self.files.record_files.with_places(verify(entry, run, protocol, folder=self.folder(run_id), inputs=inputs))

    def unverifiable(self, run_id: str) -> list[str]:
        """Return what of a run's record no evidence lets anybody work out again, in words."""
        run = self.run(run_id)
        listed = f"recorded, not recomputable: {'; '.join(f'{names} ({words})' for names, words in RECORDED.items())}."
        if has_journal(run):
            return [listed]
        older = "recorded before the journal was evidence: status, deviations, counts of memory and all that is not recomputable"
        statistics = ["recorded under older statistics: values and counts were recomputed, intervals and verdicts were not."]
        return [f"{older} were not compared with anything.", *(statistics if run.has_older_statistics else []), listed]

    def draft_claims(self, run_id: str, today: date) -> tuple[Path, ...]:
        """Write measured claims drafted from a run, with references and no numbers; return their files."""
        from ledger.analysis.verdicts.draft_claims import draft_claims  # only this command drafts
        from ledger.store.append.write_records import write_all  # composing records is only needed by commands that write

        run, settings = self.run(run_id), self.files.settings
        drafts = draft_claims(run, self.plans.protocol(run.protocol), today, author=settings.organisation)
        fields = [("claim", claim.model_dump(by_alias=True, exclude_defaults=True)) for claim in drafts]
        return write_all(self.files.root, settings, fields, today=today).paths


def interrupted_protocol(folder: Path) -> Protocol:
    """Return the protocol that an interrupted run began with."""
    return read_result(folder).protocol
