"""The record of a run, made from what the runner measured."""

from collections.abc import Mapping
from dataclasses import asdict

from ledger.analysis.cells.summary import summarise
from ledger.analysis.measures.device_conditions import condition_warnings
from ledger.analysis.verdicts.facts import Facts
from ledger.analysis.verdicts.verdicts import conclude
from ledger.bench.journal.result import RunResult
from ledger.model.record import Supersedes
from ledger.model.records.run import STATISTICS, EnvironmentFact, Executor, Measure, Run

ENGINE_FACTS = {
    EnvironmentFact.ATTENTION_BACKEND: "attention_config.backend",
    EnvironmentFact.ENGINE_CORES: "cpu_binding.engine_cores",
    EnvironmentFact.RESERVED_CORES: "cpu_binding.reserved_cores",
}
"""Fact of the environment to the setting of the engines that it comes from."""
_UNITS = {"bytes": "bytes", "tokens": "tokens", "share": "share"}


def run_of(run_id: str, result: RunResult, *, executor: Executor, author: str, supersedes: Supersedes | None = None) -> Run:
    """Return the run that a result is: its measures, comparisons, verdicts and decision, all computed from the traces."""
    protocol = result.protocol
    summary = summarise(protocol, result.traces, suites=result.suites, seed=protocol.seed)
    memory = memory_of(result)
    facts = Facts(result.suites, memory, result.drills)
    verdicts, decision = conclude(protocol, summary, facts, status=result.status, planned=result.planned)
    return Run(
        id=run_id,
        protocol=protocol.id,
        protocol_meaning=result.protocol_meaning,
        protocol_commit=result.protocol_commit,
        executor=executor,
        planned=result.planned,
        status=result.status,
        started_at=result.started_at,
        finished_at=result.finished_at,
        duration_s=result.duration_s,
        environment={key: value for key, value in result.environment.items() if value is not None}
        | engine_facts(result)
        | memory_source(result),
        configurations=result.configurations,
        memory=memory,
        cells=summary.cells,
        comparisons=summary.comparisons,
        suites=result.suites,
        verdicts=verdicts,
        decision=decision,
        deviations=(*result.deviations, *condition_warnings(result.conditions), *summary.warnings),
        evidence=tuple(item.model_copy(update={"path": f"{run_id}/{item.path}"}) for item in result.evidence),
        conditions=result.conditions,
        drills=result.drills,
        statistics=STATISTICS,
        author=author,
        supersedes=supersedes,
    )


def run_json(run: Run) -> bytes:
    """Return a run's record as the bytes of its file."""
    body = run.model_dump_json(by_alias=True, exclude_defaults=True, indent=1)
    return f'{{"run": [\n{body}\n]}}\n'.encode()


def memory_of(result: RunResult) -> dict[str, dict[str, Measure]]:
    """Return memory by arm and part, such as `kv-cache`; the largest of an arm's sessions, with their number as `n`."""
    parts: dict[str, dict[str, Measure]] = {}
    for session in result.sessions:
        if session.memory is not None:
            of_arm = parts.setdefault(session.arm, {})
            for key, measure in _memory_measures(asdict(session.memory)):
                of_arm[key] = _largest(of_arm.get(key), measure)
    return {arm: of_arm for arm, of_arm in parts.items() if of_arm}


def _memory_measures(memory: Mapping[str, object]) -> list[tuple[str, Measure]]:
    """Return key and measure of every figure of one session's memory, whose names end in their unit."""
    measures = []
    for name, value in memory.items():
        unit = next((unit for suffix, unit in _UNITS.items() if name.endswith(suffix)), None)
        if unit and isinstance(value, int | float):
            key = name.removesuffix(f"_{unit}").replace("_", "-") + ("-tokens" if unit == "tokens" else "")
            measures.append((key, Measure.model_validate({"value": float(value), "unit": unit, "n": 1})))
    return measures


def _largest(held: Measure | None, measure: Measure) -> Measure:
    """Return the larger of two measures, which stands for as many sessions as both."""
    if held is None:
        return measure
    top = max(measure.value or 0.0, held.value or 0.0)
    return held.model_copy(update={"value": top, "n": (held.n or 0) + 1})


def engine_facts(result: RunResult) -> dict[str, str | int | float]:
    """Return what the engines settled on that a reader needs beside the hardware: attention, and the cores that computed."""
    facts: dict[str, str | int | float] = {}
    for fact, key in ENGINE_FACTS.items():
        values = {str(value) for configuration in result.configurations.values() if (value := configuration.get(key)) is not None}
        facts |= {fact: " / ".join(sorted(values))} if values else {}
    return facts


def memory_source(result: RunResult) -> dict[str, str | int | float]:
    """Return where the figures of device memory come from, as a fact of the environment; nothing where none was recorded."""
    sources = {session.memory.device_how for session in result.sessions if session.memory and session.memory.device_how}
    return {EnvironmentFact.DEVICE_MEMORY_SOURCE: " / ".join(sorted(sources))} if sources else {}
