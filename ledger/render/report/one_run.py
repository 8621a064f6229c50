"""The comparison of one run: facts, then loads, rubric, decision, controls, answers, memory, drills, device and deviations."""

from collections.abc import Iterator, Sequence

from ledger.analysis.claims.resolve import measure_number
from ledger.analysis.measures.device_conditions import devices_of
from ledger.model.catalogue import Catalogue
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Condition, EnvironmentFact, Measure, Run, environment_words
from ledger.model.values.metrics import DEVICE_WORDS
from ledger.model.values.units import with_unit
from ledger.render.report.drawings import drawings
from ledger.render.report.load_tables import latency_table, rate_table, ratio_figure, ratio_table, request_table
from ledger.render.report.report import ReportBlock, ReportTable, RunReport, Section
from ledger.render.report.rubric_tables import NO_VERDICT, control_table, decision_table, rubric_table, suite_tables
from ledger.render.report.words import (
    RunUnderProtocol,
    decision_words,
    label_key,
    label_words,
    load_words,
    n_text,
    proof,
    protocol_words,
)
from ledger.render.runs.measure_text import NOT_RECORDED, capitalise, interval_text, value_or_size_text
from ledger.render.runs.rows import environment_row, memory_parts, part_words

_STATES = {
    "partial": "is partial: not every cell ran, and the missing ones print as 'not run'",
    "failed": "failed: what it measured before stands here, and no conclusion rests on it",
    "invalid": "is invalid: no conclusion rests on it",
}
_SHOWN_FACTS = (
    EnvironmentFact.HARDWARE,
    EnvironmentFact.ENGINE_CORES,
    EnvironmentFact.ENGINE,
    EnvironmentFact.ATTENTION_BACKEND,
    EnvironmentFact.CLIENT,
    EnvironmentFact.TORCH,
    EnvironmentFact.CUDA,
    EnvironmentFact.GPU_DRIVER,
)
_KV = "The KV cache is allocated beforehand: its size is a setting, and what a drafter costs shows in the capacity. n: sessions."


def run_report(run: Run, protocol: Protocol | None, catalogue: Catalogue) -> RunReport:
    """Return what one run shows, with the protocol it was run under."""
    execution = RunUnderProtocol.of(run, protocol)
    sections = [section for section in _judgement(execution, catalogue) if section.blocks or section.lines]
    sections += [
        Section(f"Load {load_words(execution.load(load), load)}", tuple(_load_blocks(execution, load))) for load in execution.loads
    ]
    sections += [Section("By load", drawn)] if (drawn := tuple(drawings(execution))) else []
    sections += [section for section in _record(execution) if section.blocks or section.lines]
    title = f"Run {run.id}"
    return RunReport(title, ((run.id, label_key(run)),), tuple(notices(execution, catalogue)), run_facts(execution), tuple(sections))


def _load_blocks(execution: RunUnderProtocol, load: str) -> Iterator[ReportBlock]:
    figure, ratios = ratio_figure(execution, load), ratio_table(execution, load)
    yield latency_table(execution, load)
    yield rate_table(execution, load)
    yield from (block for block in (figure, ratios) if block is not None)
    yield request_table(execution, load)


def _judgement(execution: RunUnderProtocol, catalogue: Catalogue) -> Iterator[Section]:
    rubric, decision, controls = rubric_table(execution, catalogue), decision_table(execution), control_table(execution)
    lines = () if execution.run.planned else (f"{capitalise(NO_VERDICT)}, and no decision or derived cost rests on it.",)
    yield Section("Rubric and decision", tuple(table for table in (rubric, decision) if table), lines)
    yield Section("Controls", (controls,) if controls else ())
    yield Section("Acceptance suites", tuple(suite_tables(execution)))


def _record(execution: RunUnderProtocol) -> Iterator[Section]:
    memory = memory_table(execution)
    yield Section("Memory", (memory,) if memory else (), () if memory else (f"Memory: {NOT_RECORDED}.",))
    yield Section("Fault drills", tuple(drill_tables(execution)))
    yield Section("Device while cells ran", tuple(condition_tables(execution)))
    yield Section("Deviations from the protocol", (), execution.run.deviations or ("None.",))
    environment = tuple(environment_row(key, value) for key, value in execution.run.environment.items())
    yield Section(
        "Environment", (ReportTable("Environment", ("What", "Recorded"), environment, proof(execution.run)),) if environment else ()
    )


def notices(execution: RunUnderProtocol, catalogue: Catalogue) -> Iterator[str]:
    """Yield what a reader must know before any number of a run."""
    run = execution.run
    if run.status in _STATES:
        yield f"Run {run.id} {_STATES[run.status]}."
    if not run.planned:
        yield f"Run {run.id} is unplanned: its protocol had not landed beforehand, so no verdict or decision rests on it."
    if run.executor.relation != "own":
        yield f"Run {run.id} was executed by {run.executor.organisation} ({run.executor.relation}), not by this ledger's organisation."
    if execution.protocol is None:
        yield f"Protocol {run.protocol} is not in this ledger with the meaning that run {run.id} names; bounds and controls are not shown."
    if successor := catalogue.successors.get(run.id):
        yield f"Run {run.id} is superseded by {successor.record.id}."
    if run.deviations:
        yield f"Run {run.id} deviates from its protocol in {len(run.deviations)} point(s), listed at the end."


def run_facts(execution: RunUnderProtocol) -> tuple[tuple[str, str], ...]:
    """Return what stands at the head of a comparison of one run."""
    run = execution.run
    facts = [("Label", label_words(run)), ("Status", run.status), ("Protocol", protocol_words(run))]
    if plan := execution.protocol:
        facts += [("Question", plan.question), ("Model", plan.model.name), ("Repeats", str(plan.repeats))]
    facts += [
        ("Executed by", f"{run.executor.organisation} ({run.executor.relation})"),
        ("Started", f"{run.started_at:%Y-%m-%d %H:%M} UTC"),
    ]
    facts += [(environment_words(key), str(run.environment[key])) for key in _SHOWN_FACTS if key in run.environment]
    return (*facts, ("Decision", decision_words(run)))


def memory_table(execution: RunUnderProtocol) -> ReportTable | None:
    """Return an arm's memory taken apart; None where none is recorded."""
    parts = memory_parts(execution.run.memory.values())
    if not parts:
        return None
    rows = tuple(
        (arm, *(value_or_size_text(measures.get(part), interval=True) for part in parts), n_text(*measures.values()))
        for arm, measures in execution.run.memory.items()
    )
    header = ("Arm", *map(part_words, parts), "n")
    return ReportTable("Memory", header, rows, proof(execution.run), numeric=frozenset(range(1, len(header))), notes=(_KV,))


def condition_tables(execution: RunUnderProtocol) -> Iterator[ReportTable]:
    """Yield what the device did while cells ran, one table a load: each figure by arm, over the repeats."""
    for load in dict.fromkeys(condition.load for condition in execution.run.conditions):
        here = [condition for condition in execution.run.conditions if condition.load == load]
        rows = tuple(
            (_quantity(key), arm, *_range([c.measures[key] for c in here if c.arm == arm and key in c.measures]))
            for key in _shown_conditions(here)
            for arm in dict.fromkeys(condition.arm for condition in here)
        )
        notes = (
            "Read from the device; recorded, not recomputable from traces. n: samples. Where repeats differ, the lowest to the highest.",
        )
        header = ("Quantity", "Arm", "Value", "n")
        yield ReportTable(f"Device at {load}", header, rows, proof(execution.run), numeric=frozenset((2, 3)), notes=notes, grouped=True)


def _shown_conditions(here: Sequence[Condition]) -> list[str]:
    """Keys of the shown figures, device by device."""
    found = dict.fromkeys(key for condition in here for key in condition.measures)
    whole = [key for key in found if key in DEVICE_WORDS]
    return [key for device in devices_of(here) for words in DEVICE_WORDS if (key := f"{device}.{words}") in found] + whole


def _quantity(key: str) -> str:
    if key in DEVICE_WORDS:
        return capitalise(DEVICE_WORDS[key])
    device, _, figure = key.partition(".")
    return f"{device}: {DEVICE_WORDS[figure]}"


def _range(measures: Sequence[Measure]) -> tuple[str, str]:
    """One figure's lowest and highest value over repeats, and its samples."""
    values = sorted((measure for measure in measures if measure.value is not None), key=lambda measure: measure.value or 0.0)
    if not values:
        return (interval_text(measures[0] if measures else None), n_text(*measures))
    samples = str(sum(measure.n for measure in values))
    low, high = (measure_number(end.value or 0.0, end.unit) for end in (values[0], values[-1]))
    return (with_unit(*high) if low == high else f"{low[0]} to {with_unit(*high)}"), samples


def drill_tables(execution: RunUnderProtocol) -> Iterator[ReportTable]:
    """Yield how the arms came through each fault drill, one table a drill."""
    for drill in dict.fromkeys(result.drill for result in execution.run.drills):
        rows: list[tuple[str, ...]] = []
        for result in (result for result in execution.run.drills if result.drill == drill):
            rows += [(result.arm, key, interval_text(measure), n_text(measure)) for key, measure in result.metrics.items()]
            if not result.metrics:
                rows.append((result.arm, "any", NOT_RECORDED, "0"))
        header = ("Arm", "Metric", "Value", "n")
        notes = ("n: requests or events, as the metric says; a drill happens once an arm, so nothing is compared.",)
        yield ReportTable(f"Drill {drill}", header, tuple(rows), proof(execution.run), numeric=frozenset((2, 3)), notes=notes, grouped=True)
