"""Runs a protocol and takes up an interrupted run; both return what the journal holds."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from ledger.bench.engine.clock import RunClock
from ledger.bench.engine.interface import Scalars
from ledger.bench.engine.redaction import anonymous, kept_prompt, strictest
from ledger.bench.journal.drill_lines import finished_drills
from ledger.bench.journal.evidence import write_evidence
from ledger.bench.journal.journal import FORMAT, NAME, Journal, Line, is_chained, read_journal
from ledger.bench.journal.result import RunResult, finished_cells, read_result, staggers_s
from ledger.bench.journal.status import finished_suites
from ledger.bench.plan.workload import Prompt
from ledger.bench.run.execution import Execution
from ledger.bench.run.machine_lock import machine_lock
from ledger.bench.run.run_request import RunRequest
from ledger.bench.run.signals import end_signals_as_ctrl_c
from ledger.bench.vllm.preflight import refuse
from ledger.errors import DataRefusedError
from ledger.model.records.protocol import Protocol, Telemetry
from ledger.model.records.run import EnvironmentFact, environment_words
from ledger.model.values.meaning import meaning_hash

BEGUN_EARLIER = (
    "was begun by an earlier release, which started loads in another way, so the rest would not be comparable with it. "
    "Record what it has with `ledger bench record`, and run its protocol again."
)


def run_protocol(request: RunRequest) -> RunResult:
    """Run a protocol from its start and return what was measured.

    Raises:
        EnvironmentFaultError: a library, device or memory is missing, the engine did not start, or another run is at work here.
        DataRefusedError: the protocol cannot run, or the folder holds a run.
    """
    with only_run(request):
        return begin(request)


def only_run(request: RunRequest) -> AbstractContextManager[None]:
    """Return what keeps every other run off this machine while entered."""
    return machine_lock(request.lock, f"in {anonymous(str(request.out_dir))}") if request.lock else nullcontext()


def begin(request: RunRequest) -> RunResult:
    """Run a protocol from its start; see `run_protocol`."""
    protocol, clock = request.protocol, request.clock
    backend = request.backend_factory(protocol, request.model_path)
    refuse(backend.preflight(protocol, request.prompts, request.suite_items))
    policy = strictest(protocol.telemetry, request.telemetry) if request.telemetry else protocol.telemetry
    run_clock = RunClock.starting_at(clock)
    header = header_of(protocol, request.prompts, policy, inputs=request.inputs) | {
        "protocol_commit": request.protocol_commit,
        "planned": request.planned,
        **executor_field(request),
        "environment": backend.environment() | ({EnvironmentFact.COMMAND: request.command} if request.command else {}),
    }
    with Journal.create(request.out_dir / NAME) as journal:
        journal.append("header", **header, wall=clock.wall().isoformat(), mono=clock.now(), t=run_clock.now())
        execution = Execution(request, backend=backend, telemetry=policy, clock=run_clock, journal=journal)
        return completed(execution, request)


def resume(request: RunRequest) -> RunResult:
    """Finish an interrupted run: cells that ran to their end stand, all others run again.

    Protocol and telemetry policy are those in the journal. A run that is complete already is returned as it is.

    Raises:
        DataRefusedError: there is no run, or prompts, model or engine are not those it began with.
        EnvironmentFaultError: as for `run_protocol`.
    """
    with only_run(request):
        return take_up(request)


def take_up(request: RunRequest) -> RunResult:
    """Finish an interrupted run; see `resume`."""
    lines = read_journal(request.out_dir / NAME)
    if read_result(request.out_dir).status != "partial":
        return result_of(request)
    header = lines[0]
    if not is_chained(header):
        raise DataRefusedError(f"{request.out_dir}: {BEGUN_EARLIER}")
    request = replace(request, protocol=Protocol.model_validate(header["protocol"]))
    policy = Telemetry.model_validate(header["telemetry"])
    refuse_other_prompts(header, request.prompts, policy)
    backend = request.backend_factory(request.protocol, request.model_path)
    refuse(backend.preflight(request.protocol, request.prompts, request.suite_items))
    environment = backend.environment()
    refuse_other_model(header["environment"], environment)
    run_clock = RunClock.starting_at(request.clock, last_instant_s(lines))
    with Journal.reopen(request.out_dir / NAME) as journal:
        at = {"wall": request.clock.wall().isoformat(), "mono": request.clock.now(), "t": run_clock.now()}
        journal.append("resume", **executor_field(request), **at)
        for what in ["the run was interrupted and resumed", *environment_changes(header["environment"], environment)]:
            journal.append("deviation", what=what)
        execution = Execution(request, backend=backend, telemetry=policy, clock=run_clock, journal=journal)
        execution.keep_staggers(staggers_s(lines))
        execution.skip(finished_cells(lines), finished_suites(lines), finished_drills(lines))
        return completed(execution, request)


def executor_field(request: RunRequest) -> Line:
    """Return who runs a run as a field of a line; none where nobody said so."""
    return {"executor": request.executor.model_dump(mode="json")} if request.executor else {}


def header_of(protocol: Protocol, prompts: Sequence[Prompt], policy: Telemetry, *, inputs: Mapping[str, str] | None = None) -> Line:
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


def completed(execution: Execution, request: RunRequest) -> RunResult:
    """Run what is left and return the result.

    Raises:
        KeyboardInterrupt: it was stopped; the engine is gone, and what finished stands in the journal.
        EnvironmentFaultError: the engine did not start, or the journal could not be written.
    """
    try:
        with end_signals_as_ctrl_c(), asyncio.Runner(loop_factory=request.clock.loop_factory) as loop:
            loop.run(execution.run())
    except ExceptionGroup as group:  # requests run side by side; what ended one of them ended the run
        raise group.exceptions[0] from group
    return result_of(request)


def result_of(request: RunRequest) -> RunResult:
    """Return the result of a run's folder, with its evidence written where Parquet is wanted."""
    return write_evidence(request.out_dir) if request.parquet else read_result(request.out_dir)


def refuse_other_prompts(header: Line, prompts: Sequence[Prompt], policy: Telemetry) -> None:
    """Compare prompts with those the run began with, as far as the telemetry policy kept them.

    Raises:
        DataRefusedError: they differ.
    """
    if header["prompts"] != [kept_prompt(prompt, policy) for prompt in prompts]:
        raise DataRefusedError("the prompts are not those that the run began with. Resume with the workload of its protocol.")


def refuse_other_model(before: Scalars, after: Scalars) -> None:
    """Compare the models, and how text becomes tokens, with those the run began with: half a run of each is a run of neither.

    Raises:
        DataRefusedError: one of their hashes differs.
    """
    for key in sorted(before.keys() | after.keys()):
        if key.endswith("_sha256") and before.get(key) != after.get(key):
            raise DataRefusedError(
                f"{environment_words(key)}: got {after.get(key) or 'none'}, the run began with {before.get(key) or 'none'}. "
                "Resume with the models that it began with."
            )


def last_instant_s(lines: Sequence[Line]) -> float:
    """Return the last instant that the journal knows, in seconds of the run."""
    return max(float(line["t"]) for line in lines if "t" in line)


def environment_changes(before: Scalars, after: Scalars) -> list[str]:
    """Return what changed in the environment while the run was interrupted."""
    return [
        f"the environment changed before the run was resumed: {key} was {before.get(key)!r}, is {after.get(key)!r}"
        for key in sorted((set(before) | set(after)) - {EnvironmentFact.COMMAND})
        if before.get(key) != after.get(key)
    ]
