"""Runs of a ledger: planned, executed, resumed, recorded and verified. Joins `bench`, `store` and `analysis`.

A run's folder lies in the evidence store from its first second: the journal while it runs, the traces when it is
done. The record is written last and in one piece.
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from ledger.analysis.summary import Summary, summarise
from ledger.analysis.verdicts import decide, evaluate
from ledger.bench.plan import Outline, outline
from ledger.bench.progress import Report, silent
from ledger.bench.result import ANSWERS, TRACES, RunResult
from ledger.bench.runner import resume, run_protocol
from ledger.bench.suite_items import SuiteItem, read_suite_items
from ledger.bench.suites import suite_results
from ledger.bench.traces import read_answers, read_traces
from ledger.bench.workload import Prompt, read_prompts
from ledger.errors import DataRefused, FieldPath, Problem, UsageError
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.meaning import meaning_hash
from ledger.model.protocol import Protocol, Telemetry
from ledger.model.run import Evidence, Executor, Measure, Run
from ledger.model.suite import Suite
from ledger.model.workload import Workload
from ledger.store.attached_files import attached_path, file_sha256
from ledger.store.settings import Settings
from ledger.store.writing import write_atomically

Landed = Callable[[Entry], bool]
"""Whether a record's present meaning has landed on the main branch."""
__all__ = ["Landed", "Runs"]


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a protocol runs on."""

    prompts: tuple[Prompt, ...]
    items: tuple[SuiteItem, ...]


class Runs:
    """The runs of one ledger."""

    def __init__(self, root: Path, settings: Settings, catalogue: Catalogue) -> None:
        self.root = root
        self.settings = settings
        self.catalogue = catalogue

    def protocol(self, protocol_id: str) -> Protocol:
        """Return a protocol of the ledger."""
        if protocol := self.catalogue.get(protocol_id, Protocol):
            return protocol
        known = ", ".join(one.id for one in self.catalogue.of(Protocol))
        raise UsageError(f"{protocol_id}: no such protocol. There is {known or 'none yet'}.")

    def run(self, run_id: str) -> Run:
        """Return a run of the ledger."""
        if run := self.catalogue.get(run_id, Run):
            return run
        known = ", ".join(one.id for one in self.catalogue.of(Run))
        raise UsageError(f"{run_id}: no such run. There is {known or 'none yet'}.")

    def folder(self, run_id: str) -> Path:
        """Return where a run's evidence lies."""
        return self.root / self.settings.paths.evidence / run_id

    def outline(self, protocol_id: str) -> Outline:
        """Return what a protocol will run, how long it may take, and what its sample cannot show."""
        protocol = self.protocol(protocol_id)
        inputs = self.inputs(protocol)
        return outline(protocol, prompt_count=len(inputs.prompts), suite_item_count=len(inputs.items))

    def inputs(self, protocol: Protocol) -> Inputs:
        """Return the prompts and suite items of a protocol.

        Raises:
            DataRefused: a file is missing, differs from its record's hash, or holds lines that cannot be read.
        """
        workload = self._named(protocol.workload, Workload)
        prompts, problems = read_prompts(self._lines(workload, "prompts"), path=workload.path)
        items: list[SuiteItem] = []
        for suite in protocol.suites:
            entry = self._named(suite, Suite)
            read, faults = read_suite_items(self._lines(entry, "items"), suite=suite, path=entry.path)
            items += read
            problems += faults
        if problems:
            raise DataRefused(f"{protocol.id} cannot run", problems)
        return Inputs(tuple(prompts), tuple(items))

    def _named(self, record_id: str, kind: type[Workload] | type[Suite]) -> Entry:
        entry = self.catalogue.by_id.get(record_id)
        if entry is None or not isinstance(entry.record, kind):
            raise DataRefused(f"{record_id}: no such {kind.KIND} in this ledger. Add it, or mend the protocol.")
        return entry

    def _lines(self, entry: Entry, field: str) -> list[str]:
        path = self.root / attached_path(entry, getattr(entry.record, field))
        if not path.is_file():
            raise DataRefused(f"{path.relative_to(self.root)}: not there. {entry.record.id} names it.")
        if file_sha256(path) != getattr(entry.record, "sha256", None):
            raise DataRefused(
                f"{path.relative_to(self.root)}: differs from the hash in {entry.record.id}. Restore it, or add a new record."
            )
        return path.read_text("utf-8").splitlines()

    def not_landed(self, protocol: Protocol, landed: Landed) -> list[str]:
        """Return what of a plan has not landed unchanged: the protocol, its workload, its suites."""
        ids = (protocol.id, protocol.workload, *protocol.suites)
        return [record_id for record_id in ids if not landed(self.catalogue.by_id[record_id])]

    def new_id(self, protocol_id: str, today: date) -> str:
        """Return a run id that is not taken: the day, the protocol, and a number from the second run of a day on."""
        base = f"{today}-{protocol_id}"
        names = (base if number == 1 else f"{base}-{number}" for number in range(1, 1000))
        return next(name for name in names if name not in self.catalogue.by_id and not self.folder(name).exists())

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
    ) -> Run:
        """Run a protocol and write the run's record; see `bench.runner.run_protocol` for what it raises."""
        protocol = self.protocol(protocol_id)
        inputs = self.inputs(protocol)
        result = run_protocol(
            protocol,
            prompts=inputs.prompts,
            suite_items=inputs.items,
            model_path=model_path,
            out_dir=self.folder(run_id),
            telemetry=self._telemetry(),
            protocol_commit=commit,
            planned=planned,
            progress=progress,
        )
        return self.record(run_id, result, relation)

    def resume(self, run_id: str, *, model_path: Path, relation: str, progress: Report = silent) -> Run:
        """Finish an interrupted run and write its record."""
        folder = self.folder(run_id)
        if not folder.is_dir():
            raise UsageError(f"{run_id}: no interrupted run in {folder.relative_to(self.root)}. Name one that was started here.")
        protocol = interrupted_protocol(folder)
        inputs = self.inputs(protocol)
        result = resume(folder, prompts=inputs.prompts, suite_items=inputs.items, model_path=model_path, progress=progress)
        return self.record(run_id, result, relation)

    def _telemetry(self) -> Telemetry:
        policy = self.settings.telemetry
        return Telemetry(prompts=policy.prompts, outputs=policy.outputs, allowed_by=policy.allowed_by or self.settings.organisation)

    def record(self, run_id: str, result: RunResult, relation: str) -> Run:
        """Return the record of a result, written to `records/runs/`."""
        summary = summarise(result.protocol, result.traces, suites=result.suites, seed=result.protocol.seed)
        verdicts = evaluate(result.protocol, summary, result.suites)
        run = Run(
            id=run_id,
            protocol=result.protocol.id,
            protocol_meaning=result.protocol_meaning,
            protocol_commit=result.protocol_commit,
            executor=Executor.model_validate({"relation": relation, "organisation": self.settings.organisation}),
            planned=result.planned,
            status=result.status,
            started_at=result.started_at,
            finished_at=result.finished_at,
            duration_s=result.duration_s,
            environment={key: value for key, value in result.environment.items() if value is not None},
            configurations=result.configurations,
            memory=memory_of(result),
            cells=summary.cells,
            comparisons=summary.comparisons,
            suites=result.suites,
            verdicts=verdicts,
            decision=decide(result.protocol, verdicts),
            deviations=(*result.deviations, *summary.warnings),
            evidence=tuple(self._evidence(run_id, item) for item in result.evidence),
            author=self.settings.organisation,
        )
        path = self.root / self.settings.paths.records / "runs" / f"{run_id}.json"
        write_atomically(path, run_json(run))
        return run

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
        """Return the run with cells, comparisons, suites and verdicts recomputed from its traces and answers."""
        protocol = self.protocol(run.protocol)
        if meaning_hash(protocol) != run.protocol_meaning:
            raise DataRefused(f"{run.id}: {protocol.id} no longer has the meaning that was run. Restore it; what landed stays.")
        folder = self.folder(run.id)
        traces = read_traces(folder / TRACES)
        suites = suite_results(read_answers(folder / ANSWERS)) if (folder / ANSWERS).is_file() else ()
        summary: Summary = summarise(protocol, traces, suites=suites, seed=protocol.seed)
        verdicts = evaluate(protocol, summary, suites)
        update = {"cells": summary.cells, "comparisons": summary.comparisons, "suites": suites, "verdicts": verdicts}
        return run.model_copy(update={**update, "decision": decide(protocol, verdicts)})


def interrupted_protocol(folder: Path) -> Protocol:
    """Return the protocol that an interrupted run began with."""
    from ledger.bench.result import read_result

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


def _differences(entry: Entry, run: Run, again: Run) -> Iterator[Problem]:
    """Yield a finding for every part of the record that its traces do not give."""
    for name in ("cells", "comparisons", "suites", "verdicts", "decision"):
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
