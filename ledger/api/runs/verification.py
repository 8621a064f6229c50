"""A run held to its evidence: every number recomputed from the traces and compared with the record."""

from collections.abc import Iterator
from pathlib import Path

from ledger.analysis.cells.summary import summarise
from ledger.analysis.measures.drills import drill_results
from ledger.analysis.verdicts.facts import Facts
from ledger.analysis.verdicts.verdicts import conclude
from ledger.bench.journal.evidence_rows import ANSWERS, DRILLS, TRACES
from ledger.bench.journal.parquet import read_answers, read_traces
from ledger.bench.journal.parquet_columns import read_columns
from ledger.bench.plan.suite_results import suite_results
from ledger.errors import DataRefused, FieldPath, Problem
from ledger.model.catalogue import Entry
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import DrillResult, Measure, Run
from ledger.model.values.meaning import meaning_hash
from ledger.store.files.attached_files import file_sha256

RECOMPUTED = ("cells", "comparisons", "suites", "drills", "verdicts", "decision")
"""The fields of a run that its traces and answers give."""


def verify(entry: Entry, run: Run, protocol: Protocol, *, folder: Path) -> list[Problem]:
    """Return every number of a run that its evidence does not give, or one problem where evidence is missing or changed.

    Args:
        entry: The run's entry.
        run: The run.
        protocol: The plan that it ran.
        folder: Where its evidence lies.

    Raises:
        DataRefused: the protocol no longer means what was run.
    """
    paths = [(item, folder.parent / item.path) for item in run.evidence]
    missing = [item.path for item, path in paths if not path.is_file()]
    if missing:
        return [entry.problem("LEDG009", ("evidence",), f"{missing[0]} is not there.", remedy="Fetch it from the evidence store.")]
    changed = [item.path for item, path in paths if file_sha256(path) != item.sha256]
    if changed:
        return [entry.problem("LEDG009", ("evidence",), f"{changed[0]} differs from its hash.", remedy="Restore the file.")]
    return list(_differences(entry, run, recompute(run, protocol, folder)))


def recompute(run: Run, protocol: Protocol, folder: Path) -> Run:
    """Return a run with cells, comparisons, suites, drills and verdicts recomputed from its traces and answers.

    Raises:
        DataRefused: the protocol no longer means what was run.
    """
    if meaning_hash(protocol) != run.protocol_meaning:
        raise DataRefused(f"{run.id}: {protocol.id} no longer has the meaning that was run. Restore it; what landed stays.")
    suites = suite_results(read_answers(folder / ANSWERS)) if (folder / ANSWERS).is_file() else ()
    summary = summarise(protocol, read_columns(folder / TRACES), suites=suites, seed=protocol.seed)
    drills = recompute_drills(run, protocol, folder / DRILLS)
    facts = Facts(suites, run.memory, drills)
    verdicts, decision = conclude(protocol, summary, facts, status=run.status, planned=run.planned)
    update = {"cells": summary.cells, "comparisons": summary.comparisons, "suites": suites, "drills": drills, "verdicts": verdicts}
    return run.model_copy(update={**update, "decision": decision})


def recompute_drills(run: Run, protocol: Protocol, path: Path) -> tuple[DrillResult, ...]:
    """Return a run's drills recomputed from their traces and from the instants that the run recorded."""
    traces = read_traces(path) if path.is_file() else []
    return drill_results(protocol, traces, {(drill.drill, drill.arm): drill.instants_s for drill in run.drills})


def _differences(entry: Entry, run: Run, again: Run) -> Iterator[Problem]:
    """Yield a finding for every part of the record that its traces do not give."""
    for name in RECOMPUTED:
        before, after = getattr(run, name), getattr(again, name)
        if before == after:
            continue
        for field, message in _places(name, before, after):
            yield entry.problem(
                "LEDG062", field, message, remedy="The traces are the evidence: record the run again, or find who edited it."
            )


def _places(name: str, before: object, after: object) -> Iterator[tuple[FieldPath, str]]:
    """Yield field and message of every difference within one part of a record."""
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
                yield (name, index, "metrics", key), f"says {_text(metrics.get(key))}, the traces give {_text(new.metrics.get(key))}."


def _text(measure: Measure | None) -> str:
    if measure is None or measure.value is None:
        return measure.reason or "nothing" if measure else "nothing"
    return f"{measure.value!r} {measure.unit}"
