"""The evidence of a run: what its record rests on, written beside the journal when the run has come to its end or is recorded in part."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from ledger.bench.journal.events import EVENTS, events_content
from ledger.bench.journal.events import MEDIA_TYPE as EVENTS_TYPE
from ledger.bench.journal.evidence_rows import ANSWERS, DISCARDED, DRILLS, INTERRUPTED, TRACES
from ledger.bench.journal.journal import NAME, Line, is_chained, read_journal
from ledger.bench.journal.parquet import MEDIA_TYPE, write_answers, write_traces
from ledger.bench.journal.result import RunResult, result_from
from ledger.bench.machine.model_files import file_hash
from ledger.errors import EnvironmentFaultError
from ledger.model.records.run import Evidence

MEDIA_TYPES = {
    TRACES: MEDIA_TYPE,
    ANSWERS: MEDIA_TYPE,
    INTERRUPTED: MEDIA_TYPE,
    DISCARDED: MEDIA_TYPE,
    DRILLS: MEDIA_TYPE,
    EVENTS: EVENTS_TYPE,
}
"""Every file that a run's evidence may have, to its media type, in the order in which a record names them."""


def write_evidence(out_dir: Path) -> RunResult:
    """Return the result of a run's folder, with its evidence written there.

    Raises:
        DataRefusedError: there is no journal, or it is broken before its last line.
        EnvironmentFaultError: a file cannot be written.
    """
    lines = read_journal(out_dir / NAME)
    result = result_from(lines)
    try:
        for name, write in writers(result, lines).items():
            write(out_dir / name)
    except OSError as error:
        remedy = "What finished stands in the journal: make room, then type `ledger bench record` with the run's id."
        reason = os.strerror(error.errno) if error.errno else str(error).splitlines()[0]  # Arrow's own text names its source
        raise EnvironmentFaultError(f"{out_dir}: cannot be written: {reason}. {remedy}") from error
    return replace(result, evidence=evidence_in(out_dir, tuple(writers(result, lines))))


def writers(result: RunResult, lines: Sequence[Line]) -> dict[str, Callable[[Path], None]]:
    """Return what writes each file of a run's evidence; traces are there even when they are none, the others only with content."""
    found: dict[str, Callable[[Path], None]] = {TRACES: lambda path: write_traces(result.traces, path)}
    if result.answers:
        found[ANSWERS] = lambda path: write_answers(result.answers, path)
    if result.interrupted:
        found[INTERRUPTED] = lambda path: write_traces(result.interrupted, path)
    if result.discarded:
        found[DISCARDED] = lambda path: write_traces(result.discarded, path)
    if result.drill_traces:
        found[DRILLS] = lambda path: write_traces(result.drill_traces, path)
    if is_chained(lines[0]):
        found[EVENTS] = lambda path: write_whole(path, events_content(lines))
    return found


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place and put it there, so that a reader never meets half of it."""
    draft = path.with_name(f".{path.name}.new")
    draft.write_bytes(content)
    draft.replace(path)


def evidence_in(folder: Path, names: Sequence[str] | None = None) -> tuple[Evidence, ...]:
    """Return the evidence files of a folder, those that are there unless they are named; paths are relative to the folder."""
    chosen = [name for name in MEDIA_TYPES if (name in names if names is not None else (folder / name).is_file())]
    return tuple(evidence_of(folder / name) for name in chosen)


def evidence_of(file: Path) -> Evidence:
    """Return a file as evidence, its path relative to its folder."""
    return Evidence(path=file.name, sha256=file_hash(file), bytes=file.stat().st_size, media_type=MEDIA_TYPES[file.name])
