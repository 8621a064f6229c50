"""A run held to its evidence: everything that traces, answers, journal and plan determine is worked out again and compared.

What the journal alone says, such as the hardware or the clock, can only be compared with the journal: `RECORDED` lists it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ledger.analysis.cells.older_statistics import as_recorded
from ledger.analysis.cells.summary import summarise
from ledger.analysis.measures.drills import drill_results
from ledger.analysis.verdicts.facts import Facts
from ledger.analysis.verdicts.verdicts import conclude
from ledger.api.runs.leaf_differences import leaf_differences
from ledger.api.runs.plans import Inputs
from ledger.api.runs.run_record import run_of
from ledger.bench.journal.audit import answer_faults, trace_faults
from ledger.bench.journal.events import EVENTS, restore_lines
from ledger.bench.journal.evidence import evidence_in
from ledger.bench.journal.evidence_rows import ANSWERS, DRILLS, TRACE_FILES, TRACES
from ledger.bench.journal.journal import Line
from ledger.bench.journal.parquet import read_answers, read_traces
from ledger.bench.journal.parquet_columns import read_columns
from ledger.bench.journal.plan_fit import misfits
from ledger.bench.journal.result import result_from
from ledger.bench.journal.status import prompt_ids
from ledger.bench.plan.suite_results import SuiteAnswer, suite_results
from ledger.bench.run.runner import refuse_other_prompts
from ledger.errors import DataRefusedError, Problem
from ledger.model.catalogue import Entry
from ledger.model.records.protocol import Protocol, Telemetry
from ledger.model.records.run import DrillResult, Run
from ledger.model.trace import RequestTrace
from ledger.model.values.meaning import meaning_hash
from ledger.store.files.attached_files import file_sha256

RECOMPUTED = ("cells", "comparisons", "suites", "drills", "verdicts", "decision")
"""The fields that traces and answers alone give; of runs recorded before the journal was evidence, nothing else is compared."""
STATED = ("author", "supersedes", "note")
"""The fields that the record states of itself."""
RECORDED: dict[str, str] = {
    "author, note, supersedes": "what the record states of itself",
    "executor": "who ran it: as said when the run was begun, taken up or imported",
    "planned, protocol_commit": "whether the plan had landed: `ledger verify --history` holds the history to its word",
    "started_at, finished_at, duration_s": "the clocks",
    "environment, configurations": "hardware, versions and settings, as the engine's machine told them",
    "memory, conditions": "what the device did",
    "drills.instants_s": "when a fault was caused and noticed",
}
"""What is recorded and cannot be recomputed, with its source. A change of the record alone shows, since the journal has it too."""
REMEDY = "The evidence is what counts: record the run again, or find who edited it."


def verify(entry: Entry, run: Run, protocol: Protocol, *, folder: Path, inputs: Inputs) -> list[Problem]:
    """Return everything in a run's record that its evidence does not give, and everything in its evidence that does not agree.

    Args:
        entry: The run's entry.
        run: The run.
        protocol: The plan that it ran.
        folder: Where its evidence lies.
        inputs: The prompts and suite items of the plan.

    Raises:
        DataRefusedError: the protocol no longer means what was run, or the evidence is not that of one journal.
    """
    if meaning_hash(protocol) != run.protocol_meaning:
        raise DataRefusedError(f"{run.id}: {protocol.id} no longer has the meaning that was run. Restore it; what landed stays.")
    return file_faults(entry, run, folder) or findings(entry, run, evidence_of(entry, run, protocol, folder=folder, inputs=inputs))


@dataclass(frozen=True, slots=True)
class RunEvidence:
    """What the evidence of a run gives, and what in it does not agree."""

    run: Run
    """The run as its evidence has it."""
    faults: tuple[Problem, ...]


def evidence_of(entry: Entry, run: Run, protocol: Protocol, *, folder: Path, inputs: Inputs) -> RunEvidence:
    """Return what the evidence of a run gives; only runs recorded before the journal was evidence lend it fields of their record."""
    rows = _read_rows(folder)
    faults = list(_row_faults(entry, rows, inputs))
    if not (folder / EVENTS).is_file():
        return RunEvidence(recompute(run, protocol, folder), tuple(faults))
    lines = restore_lines((folder / EVENTS).read_bytes(), rows, name=f"{run.id}/{EVENTS}")
    faults += _plan_faults(entry, lines, protocol, inputs=inputs)
    return RunEvidence(_from_journal(run, lines, folder), tuple(faults))


def findings(entry: Entry, run: Run, evidence: RunEvidence) -> list[Problem]:
    """Return what does not agree in a run's evidence, and every leaf of the record that it gives otherwise."""
    stated = {name: getattr(run, name) for name in STATED}
    before, after = (
        one.model_dump(mode="json", by_alias=True, exclude_defaults=True) for one in (run, evidence.run.model_copy(update=stated))
    )
    differences = leaf_differences(before, after)
    return [*evidence.faults, *(entry.problem("LEDG062", field, message, remedy=REMEDY) for field, message in differences)]


def has_journal(run: Run) -> bool:
    """Whether a run's journal is part of its evidence, so that more than its numbers can be worked out again."""
    return any(item.path.endswith(f"/{EVENTS}") for item in run.evidence)


def recompute(run: Run, protocol: Protocol, folder: Path) -> Run:
    """Return a run with what its traces and answers alone give worked out again, and all else as it is recorded.

    One of older statistics keeps its intervals and verdicts. Whoever edits a newer record to look older does not escape: it
    has a journal, and is not worked out here.
    """
    suites = suite_results(read_answers(folder / ANSWERS)) if (folder / ANSWERS).is_file() else ()
    summary = summarise(protocol, read_columns(folder / TRACES), suites=suites, seed=protocol.seed)
    drills = recompute_drills(run, protocol, folder / DRILLS)
    facts = Facts(suites, run.memory, drills)
    verdicts, decision = conclude(protocol, summary, facts, status=run.status, planned=run.planned)
    update = {"cells": summary.cells, "comparisons": summary.comparisons, "suites": suites, "drills": drills, "verdicts": verdicts}
    again = run.model_copy(update={**update, "decision": decision})
    return as_recorded(run, again) if run.has_older_statistics else again


def recompute_drills(run: Run, protocol: Protocol, path: Path) -> tuple[DrillResult, ...]:
    """Return a run's drills recomputed from their traces and from the instants that the run recorded."""
    traces = read_traces(path) if path.is_file() else []
    return drill_results(protocol, traces, {(drill.drill, drill.arm): drill.instants_s for drill in run.drills})


def _from_journal(run: Run, lines: Sequence[Line], folder: Path) -> Run:
    """Return the run that a journal gives under the record's id; who ran it is taken from the record where no line says so."""
    result = replace(result_from(lines), evidence=evidence_in(folder))
    return run_of(run.id, result, executor=result.executor or run.executor, author=run.author or "", supersedes=run.supersedes)


def file_faults(entry: Entry, run: Run, folder: Path) -> list[Problem]:
    """Return evidence that is missing, changed, or in the folder and not in the record; sizes and kinds of files count too."""
    found = []
    for place, item in enumerate(run.evidence):
        path = folder.parent / item.path
        if not path.is_file():
            found.append(
                entry.problem("LEDG009", ("evidence", place), f"{item.path} is not there.", remedy="Fetch it from the evidence store.")
            )
        elif file_sha256(path) != item.sha256:
            found.append(entry.problem("LEDG009", ("evidence", place), f"{item.path} differs from its hash.", remedy="Restore the file."))
    if found:
        return found
    expected = tuple(item.model_copy(update={"path": f"{run.id}/{item.path}"}) for item in evidence_in(folder))
    if len({item.path for item in run.evidence} & {item.path for item in expected}) < len(expected):
        found.append(entry.problem("LEDG062", ("evidence",), "does not name every evidence file of the run.", remedy=REMEDY))
    elif run.evidence != expected:
        found.append(entry.problem("LEDG062", ("evidence",), "differs from the run's evidence files.", remedy=REMEDY))
    return found


def _read_rows(folder: Path) -> dict[str, list[RequestTrace] | list[SuiteAnswer]]:
    rows: dict[str, list[RequestTrace] | list[SuiteAnswer]] = {
        name: read_traces(folder / name) for name in TRACE_FILES if (folder / name).is_file()
    }
    return rows | ({ANSWERS: read_answers(folder / ANSWERS)} if (folder / ANSWERS).is_file() else {})


def _row_faults(entry: Entry, rows: Mapping[str, Sequence[RequestTrace | SuiteAnswer]], inputs: Inputs) -> Iterator[Problem]:
    """Yield rows that do not agree with themselves, and answers whose kept text gives another grade."""
    items = {(item.suite, item.id): item for item in inputs.items}
    for name, found in rows.items():
        faults = trace_faults(row for row in found if isinstance(row, RequestTrace))
        answers = answer_faults((row for row in found if isinstance(row, SuiteAnswer)), items)
        for fault in (*faults, *answers):
            yield entry.problem("LEDG062", ("evidence",), f"{name}: {fault}.", remedy=REMEDY)


def _plan_faults(entry: Entry, lines: Sequence[Line], protocol: Protocol, *, inputs: Inputs) -> Iterator[Problem]:
    """Yield where a journal ran something else than the ledger's plan, prompts and suites, or something twice or in part."""
    header = lines[0]
    ran = Protocol.model_validate(header["protocol"])
    if meaning_hash(ran) != meaning_hash(protocol):
        yield entry.problem("LEDG062", ("protocol",), "the journal ran another plan.", remedy="Restore the plan; what landed stays.")
    try:
        refuse_other_prompts(header, inputs.prompts, Telemetry.model_validate(header["telemetry"]))
    except DataRefusedError:
        yield entry.problem(
            "LEDG062", ("protocol",), f"the journal took other prompts than {protocol.workload}.", remedy="Restore the workload."
        )
    for misfit in misfits(lines, protocol, prompt_ids(header)):
        yield entry.problem("LEDG062", ("cells",), f"journal, {misfit}.", remedy=REMEDY)
