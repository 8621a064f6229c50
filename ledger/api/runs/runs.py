"""Runs of a ledger: planned, executed, resumed, recorded and verified. Joins `bench`, `store` and `analysis`.

A run's folder lies in the evidence store from its first second: the journal while it runs, the traces when it is
done. The record is written last and in one piece.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import date
from pathlib import Path

from ledger.analysis.cells.summary import Summary, summarise
from ledger.analysis.measures.device_conditions import condition_warnings
from ledger.analysis.measures.drills import drill_results
from ledger.analysis.verdicts.facts import Facts
from ledger.analysis.verdicts.verdicts import conclude
from ledger.api.runs.plans import Plans
from ledger.api.runs.resume import Unfinished, go_on_elsewhere, goes_on_from, never_started, progress_of, supersession, unfinished
from ledger.bench.engine.clock import Clock, SystemClock
from ledger.bench.journal.journal import NAME as JOURNAL
from ledger.bench.journal.journal import is_at_work
from ledger.bench.journal.parquet import read_answers, read_traces
from ledger.bench.journal.parquet_columns import read_columns
from ledger.bench.journal.result import ANSWERS, DRILLS, TRACES, RunResult, read_result
from ledger.bench.plan.suite_results import suite_results
from ledger.bench.run.progress import Report, silent
from ledger.bench.run.run_request import BackendFactory, RunRequest
from ledger.bench.run.runner import resume, run_protocol, with_evidence
from ledger.bench.run.signals import end_signals_as_ctrl_c
from ledger.errors import DataRefused, EnvironmentFault, FieldPath, Problem, Stopped, UsageError
from ledger.model.catalogue import Entry
from ledger.model.record import Supersedes
from ledger.model.records.protocol import Protocol, Telemetry
from ledger.model.records.run import DrillResult, EnvironmentFact, Evidence, Executor, Measure, Run
from ledger.model.values.meaning import meaning_hash
from ledger.store.files.atomic_write import write_atomically
from ledger.store.files.attached_files import file_sha256


class Runs(Plans):
    """The runs of one ledger."""

    def execute(
        self,
        protocol_id: str,
        run_id: str,
        *,
        model_path: Path,
        commit: str | None,
        planned: bool,
        relation: str,
        progress: Report = silent,
        clock: Clock | None = None,
        backend_factory: BackendFactory | None = None,
    ) -> Run:
        """Run a protocol and write the run's record; see `bench.runner.run_protocol` for its arguments and what it raises."""
        protocol = self.protocol(protocol_id)
        inputs = self.inputs(protocol)
        with self._recording_what_finished(run_id, relation):
            request = RunRequest(
                protocol=protocol,
                prompts=inputs.prompts,
                suite_items=inputs.items,
                model_path=model_path,
                out_dir=self.folder(run_id),
                telemetry=self.telemetry(),
                protocol_commit=commit,
                planned=planned,
                inputs=self.input_hashes(protocol),
                clock=clock or SystemClock(),
                backend_factory=backend_factory or self.backend_factory,
                progress=progress,
            )
            result = run_protocol(request)
        return self.record(run_id, result, relation)

    def resume(self, run_id: str, *, model_path: Path, relation: str, progress: Report = silent) -> Run:
        """Finish an interrupted run, one that `resumable` returned, and write its record."""
        folder = self.folder(run_id)
        protocol = interrupted_protocol(folder)
        inputs = self.inputs(protocol)
        with self._recording_what_finished(run_id, relation):
            request = RunRequest(
                protocol=protocol,
                prompts=inputs.prompts,
                suite_items=inputs.items,
                model_path=model_path,
                out_dir=folder,
                backend_factory=self.backend_factory,
                progress=progress,
            )
            result = resume(request)
        return self.record(run_id, result, relation, supersedes=supersession(folder))

    def record_journal(self, run_id: str, relation: str) -> Run:
        """Return the record of a run as far as its journal goes, written with its evidence.

        Raises:
            DataRefused: the run is at work, its first line was never written, or its record has as much already.
        """
        folder = self.folder(run_id)
        if is_at_work(folder / JOURNAL):
            raise DataRefused(f"{run_id}: is at work in another process. Wait for it, or stop it first.")
        recorded = self.catalogue.get(run_id, Run)
        if recorded and read_result(folder).finished_at <= recorded.finished_at:
            raise DataRefused(f"{run_id}: is on record as far as it went. Finish it with `ledger bench resume {run_id}`.")
        return self.record(run_id, with_evidence(folder), relation, supersedes=supersession(folder))

    @contextmanager
    def _recording_what_finished(self, run_id: str, relation: str) -> Iterator[None]:
        """Write the partial record where a run stops before its end, and say how it goes on."""
        journal = self.folder(run_id) / JOURNAL
        before = journal.stat().st_size if journal.is_file() else 0
        try:
            with end_signals_as_ctrl_c():
                yield
        except (KeyboardInterrupt, EnvironmentFault) as stop:
            kind, said = (Stopped, "stopped.") if isinstance(stop, KeyboardInterrupt) else (EnvironmentFault, f"{str(stop).rstrip('.')}.")
            if not journal.is_file() or journal.stat().st_size == before or (kind is EnvironmentFault and never_started(journal)):
                raise kind(f"{said} Nothing was measured." if kind is Stopped else said) from stop
            self.record_journal(run_id, relation)
            done = progress_of(run_id, read_result(journal.parent))
            raise kind(f"{said} {done} recorded as partial. Continue with `ledger bench resume {run_id}`.") from stop

    def unfinished(self) -> list[Unfinished]:
        """Return the runs that can be resumed here."""
        return list(unfinished(self.folder(""), {run.id: run.status for run in self.catalogue.of(Run)}))

    def resumable(self, run_id: str, landed: Callable[[str], bool], today: date) -> str:
        """Return the id under which an interrupted run goes on: its own, or a new one where its partial record has landed.

        Args:
            run_id: The interrupted run.
            landed: Whether a record of an id has landed.
            today: The day of a new id.

        Raises:
            UsageError: there is no such run here, or it is complete and has landed.
            DataRefused: somebody else executed it.
        """
        self.require_journal(run_id)
        recorded = self.catalogue.get(run_id, Run)
        if recorded and recorded.executor.organisation != self.settings.organisation:
            where = f"{recorded.executor.organisation} executed it"
            raise DataRefused(f"{run_id}: {where}. Have it finished there, then `ledger bench take` it again.")
        if not landed(run_id):
            return run_id
        if successor := self.catalogue.successors.get(run_id):
            return self.resumable(successor.record.id, landed, today)
        if self.run(run_id).status == "complete":
            raise UsageError(f"{run_id}: is complete and has landed. There is nothing to resume; run its protocol again.")
        begun = [one.id for one in self.unfinished() if goes_on_from(self.folder(one.id)) == run_id]
        if begun:
            return begun[0]
        new = self.new_id(self.run(run_id).protocol, today)
        go_on_elsewhere(self.folder(run_id), self.folder(new))
        return new

    def require_journal(self, run_id: str) -> None:
        """Refuse a run that has no journal here.

        Raises:
            UsageError: it has none.
        """
        if not (self.folder(run_id) / JOURNAL).is_file():
            known = ", ".join(map(str, self.unfinished()))
            raise UsageError(f"{run_id}: no journal of it here. {f'Interrupted are {known}.' if known else 'No run was interrupted here.'}")

    def telemetry(self) -> Telemetry:
        """Return the most that this ledger lets any run keep."""
        policy = self.settings.telemetry
        return Telemetry(prompts=policy.prompts, outputs=policy.outputs, allowed_by=policy.allowed_by or self.settings.organisation)

    def record(
        self, run_id: str, result: RunResult, relation: str, *, organisation: str | None = None, supersedes: Supersedes | None = None
    ) -> Run:
        """Return the record of a result, written to `records/runs/`; the ledger's own organisation executed it unless another is named."""
        summary = summarise(result.protocol, result.traces, suites=result.suites, seed=result.protocol.seed)
        memory = memory_of(result)
        facts = Facts(result.suites, memory, result.drills)
        verdicts, decision = conclude(result.protocol, summary, facts, status=result.status, planned=result.planned)
        run = Run(
            id=run_id,
            protocol=result.protocol.id,
            protocol_meaning=result.protocol_meaning,
            protocol_commit=result.protocol_commit,
            executor=Executor.model_validate({"relation": relation, "organisation": organisation or self.settings.organisation}),
            planned=result.planned,
            status=result.status,
            started_at=result.started_at,
            finished_at=result.finished_at,
            duration_s=result.duration_s,
            environment={key: value for key, value in result.environment.items() if value is not None} | memory_source(result),
            configurations=result.configurations,
            memory=memory,
            cells=summary.cells,
            comparisons=summary.comparisons,
            suites=result.suites,
            verdicts=verdicts,
            decision=decision,
            deviations=(*result.deviations, *condition_warnings(result.conditions), *summary.warnings),
            evidence=tuple(self._evidence(run_id, item) for item in result.evidence),
            conditions=result.conditions,
            drills=result.drills,
            author=self.settings.organisation,
            supersedes=supersedes,
        )
        write_atomically(self.record_path(run_id), run_json(run))
        return run

    def record_path(self, run_id: str) -> Path:
        """Return where a run's record lies."""
        return self.root / self.settings.paths.records / "runs" / f"{run_id}.json"

    @staticmethod
    def _evidence(run_id: str, item: Evidence) -> Evidence:
        return item.model_copy(update={"path": f"{run_id}/{item.path}"})

    def verify(self, run_id: str) -> list[Problem]:
        """Recompute a run from its traces and return every number that comes out otherwise."""
        run = self.run(run_id)
        entry = self.catalogue.by_id[run_id]
        missing = [item.path for item in run.evidence if not (self.folder(run_id).parent / item.path).is_file()]
        if missing:
            return [entry.problem("LEDG009", ("evidence",), f"{missing[0]} is not there.", "Fetch it from the evidence store.")]
        changed = [item.path for item in run.evidence if file_sha256(self.folder(run_id).parent / item.path) != item.sha256]
        if changed:
            return [entry.problem("LEDG009", ("evidence",), f"{changed[0]} differs from its hash.", "Restore the file.")]
        return list(_differences(entry, run, self.recomputed(run)))

    def recomputed(self, run: Run) -> Run:
        """Return the run with cells, comparisons, suites, drills and verdicts recomputed from its traces and answers."""
        protocol = self.protocol(run.protocol)
        if meaning_hash(protocol) != run.protocol_meaning:
            raise DataRefused(f"{run.id}: {protocol.id} no longer has the meaning that was run. Restore it; what landed stays.")
        folder = self.folder(run.id)
        traces = read_columns(folder / TRACES)
        suites = suite_results(read_answers(folder / ANSWERS)) if (folder / ANSWERS).is_file() else ()
        summary: Summary = summarise(protocol, traces, suites=suites, seed=protocol.seed)
        drills = recomputed_drills(run, protocol, folder / DRILLS)
        facts = Facts(suites, run.memory, drills)
        verdicts, decision = conclude(protocol, summary, facts, status=run.status, planned=run.planned)
        update = {"cells": summary.cells, "comparisons": summary.comparisons, "suites": suites, "drills": drills, "verdicts": verdicts}
        return run.model_copy(update={**update, "decision": decision})


def recomputed_drills(run: Run, protocol: Protocol, path: Path) -> tuple[DrillResult, ...]:
    """Return a run's drills recomputed from their traces and from the instants that the run recorded."""
    traces = read_traces(path) if path.is_file() else []
    return drill_results(protocol, traces, {(one.drill, one.arm): one.instants_s for one in run.drills})


def interrupted_protocol(folder: Path) -> Protocol:
    """Return the protocol that an interrupted run began with."""
    return read_result(folder).protocol


def run_json(run: Run) -> bytes:
    """Return a run's record as the bytes of its file."""
    body = run.model_dump_json(by_alias=True, exclude_defaults=True, indent=1)
    return f'{{"run": [\n{body}\n]}}\n'.encode()


_UNITS = {"bytes": "bytes", "tokens": "tokens", "share": "share"}


def memory_of(result: RunResult) -> dict[str, dict[str, Measure]]:
    """Return memory by arm, taken apart; the largest of an arm's sessions."""
    found: dict[str, dict[str, Measure]] = {}
    for session in result.sessions:
        if session.memory is None:
            continue
        for name, value in asdict(session.memory).items():
            unit = next((unit for suffix, unit in _UNITS.items() if name.endswith(suffix)), None)
            if unit and value is not None:
                key = name.removesuffix(f"_{unit}").replace("_", "-") + ("-tokens" if unit == "tokens" else "")
                held = found.setdefault(session.arm, {}).get(key)
                top = max(float(value), held.value or 0.0) if held else float(value)
                found[session.arm][key] = Measure.model_validate({"value": top, "unit": unit, "n": (held.n if held else 0) + 1})
    return found


def memory_source(result: RunResult) -> dict[str, str | int | float]:
    """Return where the figures of device memory come from, as a fact of the environment; nothing where none was recorded."""
    sources = {session.memory.device_how for session in result.sessions if session.memory and session.memory.device_how}
    return {EnvironmentFact.DEVICE_MEMORY_SOURCE: " / ".join(sorted(sources))} if sources else {}


def _differences(entry: Entry, run: Run, again: Run) -> Iterator[Problem]:
    """Yield a finding for every part of the record that its traces do not give."""
    for name in ("cells", "comparisons", "suites", "drills", "verdicts", "decision"):
        before, after = getattr(run, name), getattr(again, name)
        if before == after:
            continue
        for field, message in _where(name, before, after):
            yield entry.problem("LEDG062", field, message, "The traces are the evidence: record the run again, or find who edited it.")


def _where(name: str, before: object, after: object) -> Iterator[tuple[FieldPath, str]]:
    if not isinstance(before, tuple) or not isinstance(after, tuple) or len(before) != len(after):
        yield (name,), "differs from what the traces give."
        return
    for index, (old, new) in enumerate(zip(before, after, strict=True)):
        if old == new:
            continue
        metrics = getattr(old, "metrics", None)
        if metrics is None:
            yield (name, index), "differs from what the traces give."
            continue
        for key in sorted({*metrics, *new.metrics}):
            if metrics.get(key) != new.metrics.get(key):
                yield (name, index, "metrics", key), f"says {_value(metrics.get(key))}, the traces give {_value(new.metrics.get(key))}."


def _value(measure: Measure | None) -> str:
    if measure is None or measure.value is None:
        return measure.reason or "nothing" if measure else "nothing"
    return f"{measure.value!r} {measure.unit}"
