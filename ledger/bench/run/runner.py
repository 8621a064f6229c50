"""Runs a protocol and takes up an interrupted run; both return what the journal holds."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from ledger.bench.engine.clock import Clock, RunClock, SystemClock
from ledger.bench.engine.interface import Backend, Scalars
from ledger.bench.engine.redaction import kept_prompt, strictest
from ledger.bench.journal.drill_lines import finished_drills
from ledger.bench.journal.journal import FORMAT, NAME, Journal, Line, read_journal
from ledger.bench.journal.parquet import MEDIA_TYPE, write_answers, write_traces
from ledger.bench.journal.result import ANSWERS, DRILLS, INTERRUPTED, TRACES, RunResult, finished_cells, finished_suites, read_result
from ledger.bench.machine.environment import file_hash
from ledger.bench.plan.suite_items import SuiteItem
from ledger.bench.plan.workload import Prompt
from ledger.bench.run.execution import Execution
from ledger.bench.run.progress import Report, silent
from ledger.bench.run.signals import stopping_as_ctrl_c
from ledger.bench.vllm.backend import VllmBackend
from ledger.bench.vllm.preflight import refuse
from ledger.errors import DataRefused
from ledger.model.records.protocol import Protocol, Telemetry
from ledger.model.records.run import Evidence
from ledger.model.values.meaning import meaning_hash

LOG = "engine.log"
BackendFactory = Callable[[Protocol, Path], Backend]


def run_protocol(
    protocol: Protocol,
    *,
    prompts: Sequence[Prompt],
    suite_items: Sequence[SuiteItem],
    model_path: Path,
    out_dir: Path,
    telemetry: Telemetry | None = None,
    protocol_commit: str | None = None,
    planned: bool = False,
    inputs: Mapping[str, str] | None = None,
    parquet: bool = True,
    clock: Clock | None = None,
    backend_factory: BackendFactory = VllmBackend,
    progress: Report = silent,
) -> RunResult:
    """Run a protocol from its start and return what it found.

    Args:
        protocol: the plan.
        prompts: its workload, in order.
        suite_items: the items of all its suites.
        model_path: the folder of the model under test.
        out_dir: where journal, traces and engine log go; must not hold a run.
        telemetry: the ledger's policy; the stricter of it and the protocol's holds.
        protocol_commit: commit of the protocol, None outside a repository.
        planned: whether the protocol had landed unchanged.
        inputs: sha256 of the files of workload and suites, by record id.
        parquet: whether to write traces and answers as Parquet; away from home the journal alone travels.
        clock: where instants come from; the machine's by default.
        backend_factory: makes the backend; vLLM by default.
        progress: called after every request.

    Raises:
        EnvironmentFault: a library, device or memory is missing, or the engine did not start.
        DataRefused: the protocol cannot run, or the folder holds a run.
    """
    clock = clock or SystemClock()
    backend = backend_factory(protocol, model_path)
    refuse(backend.preflight(protocol, prompts, suite_items))
    policy = strictest(protocol.telemetry, telemetry) if telemetry else protocol.telemetry
    run_clock = RunClock.starting_at(clock)
    header = header_of(protocol, prompts, policy, inputs) | {
        "protocol_commit": protocol_commit,
        "planned": planned,
        "environment": backend.environment(),
    }
    with Journal.create(out_dir / NAME) as journal:
        journal.append("header", **header, wall=clock.wall().isoformat(), mono=clock.now(), t=run_clock.now())
        execution = Execution(protocol, prompts, suite_items, backend, policy, run_clock, journal, out_dir / LOG, progress)
        return completed(execution, clock, out_dir, parquet=parquet)


def resume(
    out_dir: Path,
    *,
    prompts: Sequence[Prompt],
    suite_items: Sequence[SuiteItem],
    model_path: Path,
    parquet: bool = True,
    clock: Clock | None = None,
    backend_factory: BackendFactory = VllmBackend,
    progress: Report = silent,
) -> RunResult:
    """Finish an interrupted run: cells that ran to their end stand, all others run again.

    The protocol is the one in the journal. A run that is complete already is returned as it is.

    Raises:
        DataRefused: there is no run, or prompts, model or engine are not those it began with.
        EnvironmentFault: as for `run_protocol`.
    """
    clock = clock or SystemClock()
    lines = read_journal(out_dir / NAME)
    if read_result(out_dir).status == "complete":
        return result_of(out_dir, parquet=parquet)
    header = lines[0]
    protocol = Protocol.model_validate(header["protocol"])
    policy = Telemetry.model_validate(header["telemetry"])
    refuse_other_prompts(header, prompts, policy)
    backend = backend_factory(protocol, model_path)
    refuse(backend.preflight(protocol, prompts, suite_items))
    environment = backend.environment()
    run_clock = RunClock.starting_at(clock, last_instant_s(lines))
    with Journal.reopen(out_dir / NAME) as journal:
        journal.append("resume", wall=clock.wall().isoformat(), mono=clock.now(), t=run_clock.now())
        for what in ["the run was interrupted and resumed", *environment_changes(header["environment"], environment)]:
            journal.append("deviation", what=what)
        execution = Execution(protocol, prompts, suite_items, backend, policy, run_clock, journal, out_dir / LOG, progress)
        execution.skip(finished_cells(lines), finished_suites(lines), finished_drills(lines))
        return completed(execution, clock, out_dir, parquet=parquet)


def header_of(protocol: Protocol, prompts: Sequence[Prompt], policy: Telemetry, inputs: Mapping[str, str] | None = None) -> Line:
    """Return what the first line of a journal says about the plan, so that a run can be resumed, or taken home, from its folder."""
    return {
        "format": FORMAT,
        "protocol": protocol.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"author", "note"}),  # without a meaning
        "protocol_meaning": meaning_hash(protocol),
        "telemetry": policy.model_dump(mode="json"),
        "seed": protocol.seed,
        "prompts": [kept_prompt(prompt, policy) for prompt in prompts],
        "inputs": dict(inputs or {}),
    }


def completed(execution: Execution, clock: Clock, out_dir: Path, *, parquet: bool) -> RunResult:
    """Run what is left and return the result.

    Raises:
        KeyboardInterrupt: it was stopped; the engine is gone, and what finished stands in the journal.
        EnvironmentFault: the engine did not start, or the journal could not be written.
    """
    try:
        with stopping_as_ctrl_c(), asyncio.Runner(loop_factory=clock.loop_factory) as loop:
            loop.run(execution.run())
    except ExceptionGroup as group:  # requests run side by side; what ended one of them ended the run
        raise group.exceptions[0] from group
    return result_of(out_dir, parquet=parquet)


def result_of(out_dir: Path, *, parquet: bool) -> RunResult:
    """Return the result of a run's folder, with its evidence written where Parquet is wanted."""
    return with_evidence(out_dir) if parquet else read_result(out_dir)


def with_evidence(out_dir: Path) -> RunResult:
    """Return the result of a run's folder, its traces and answers written as Parquet beside the journal."""
    result = read_result(out_dir)
    writers = {
        TRACES: partial(write_traces, result.traces),
        ANSWERS: partial(write_answers, result.answers) if result.answers else None,
        INTERRUPTED: partial(write_traces, result.interrupted) if result.interrupted else None,
        DRILLS: partial(write_traces, result.drill_traces) if result.drill_traces else None,
    }
    evidence = []
    for name, write in writers.items():
        if write is not None:
            file = out_dir / name
            write(file)
            evidence.append(Evidence(path=name, sha256=file_hash(file), bytes=file.stat().st_size, media_type=MEDIA_TYPE))
    return replace(result, evidence=tuple(evidence))


def refuse_other_prompts(header: Line, prompts: Sequence[Prompt], policy: Telemetry) -> None:
    """Compare prompts with those the run began with, as far as the telemetry policy kept them.

    Raises:
        DataRefused: they differ.
    """
    if header["prompts"] != [kept_prompt(prompt, policy) for prompt in prompts]:
        raise DataRefused("the prompts are not those that the run began with. Resume with the workload of its protocol.")


def last_instant_s(lines: Sequence[Line]) -> float:
    """Return the last instant that the journal knows, in seconds of the run."""
    return max(float(line["t"]) for line in lines if "t" in line)


def environment_changes(before: Scalars, after: Scalars) -> list[str]:
    """Return what changed in the environment while the run was interrupted."""
    return [
        f"the environment changed before the run was resumed: {key} was {before.get(key)!r}, is {after.get(key)!r}"
        for key in sorted(set(before) | set(after))
        if before.get(key) != after.get(key)
    ]
