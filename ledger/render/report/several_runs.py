"""The comparison of several runs: what differs first, then numbers side by side where arm, load and metric agree."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ledger.analysis.claims.resolve import measure_number
from ledger.model.catalogue import Catalogue
from ledger.model.records.run import Cell, Measure
from ledger.model.values.units import with_unit
from ledger.render.report.differences import difference_table, joint_proof, letters, protocol_fields, why_not_alike, why_not_divided
from ledger.render.report.load_tables import LATENCIES, RATES, RATIOS, ratio_figure, words_of
from ledger.render.report.one_run import notices
from ledger.render.report.report import RatioFigure, ReportBlock, ReportTable, RunReport, Section
from ledger.render.report.rubric_tables import outcome_words
from ledger.render.report.words import (
    NOT_RUN,
    RunUnderProtocol,
    decision_words,
    interval_notes,
    label_key,
    label_words,
    load_words,
    n_text,
)
from ledger.render.runs.measure_text import flag_cells, heading_with_unit, interval_text, value_or_size_text
from ledger.render.runs.rows import memory_parts, part_words, passed_text

_SPEED = (*(f"{metric}.{stat}" for metric in LATENCIES for stat in ("p50", "p95")), *(key for key in RATES if key.endswith(".mean")))
_SHARES = tuple(key for key in RATES if key not in _SPEED)
"""Not divided by those of another run: a share is read as it stands."""
_UNPAIRED = "unpaired: a quotient of two separate runs, without an interval; machine, day and versions may lie behind it."


def runs_report(runs: Sequence[RunUnderProtocol], catalogue: Catalogue) -> RunReport:
    """Return what several runs show beside each other."""
    loads = dict.fromkeys(load for execution in runs for load in execution.loads)
    found = [Section("What differs", (difference_table(runs),))]
    found += [_load_section(runs, load) for load in loads]
    found += [section for section in _rest(runs) if section.blocks or section.lines]
    title = f"{len(runs)} runs side by side"
    facts = tuple(
        (letter, f"{execution.run.id}, {label_words(execution.run)}, {execution.run.status}")
        for letter, execution in zip(letters(runs), runs, strict=True)
    )
    told = tuple(notice for execution in runs for notice in notices(execution, catalogue))
    return RunReport(title, tuple((execution.run.id, label_key(execution.run)) for execution in runs), told, facts, tuple(found))


def _load_section(runs: Sequence[RunUnderProtocol], load: str) -> Section:
    here = [execution for execution in runs if load in execution.loads]
    title = f"Load {load_words(here[0].load(load), load)}"
    if len(here) < 2:
        return Section(title, lines=(f"Only run {here[0].run.id} has it; see `ledger bench compare {here[0].run.id}`.",))
    if obstacle := why_not_alike(runs, "loads", load):
        return Section(title, lines=(f"Not set side by side: {obstacle}.",))
    arms = [
        arm
        for arm in dict.fromkeys(arm for execution in runs for arm in execution.arms)
        if sum(arm in execution.arms for execution in runs) > 1
    ]
    obstacles = [text for arm in arms if (text := why_not_alike(runs, "arms", arm))]
    arms = [arm for arm in arms if not why_not_alike(runs, "arms", arm)]
    lines = tuple(f"Not set side by side: {text}." for text in obstacles)
    if not arms:
        return Section(title, lines=(*lines, "No arm is in more than one run."))
    tables = (_value_table(runs, load, arms, keys=_SPEED), _value_table(runs, load, arms, keys=_SHARES))
    blocks: list[ReportBlock] = [table for table in tables if table.rows]
    blocks += [block for block in (_figure(runs, load, arms), _ratio_table(runs, load, arms)) if block is not None]
    return Section(title, tuple(blocks), lines)


def _value_table(runs: Sequence[RunUnderProtocol], load: str, arms: Sequence[str], *, keys: Sequence[str]) -> ReportTable:
    """Each metric of each arm, runs in columns; the quotients to the first run say that they are unpaired."""
    rows, shown = [], []
    is_divided = keys is _SPEED
    obstacles = [why_not_divided(runs[0], execution) if is_divided else "not divided" for execution in runs[1:]]
    for key in keys:
        found = {arm: [_measure(execution.run.cell(arm, load), key) for execution in runs] for arm in arms}
        if not any(measure for measures in found.values() for measure in measures):
            continue
        heading, unit = heading_with_unit(words_of(key), [measure for measures in found.values() for measure in measures])
        for arm, measures in found.items():
            cells = [execution.run.cell(arm, load) for execution in runs]
            texts = [_cell_text(cell, measure, unit) for cell, measure in zip(cells, measures, strict=True)]
            quotients = [_quotient(measures[0], measure) for measure, why in zip(measures[1:], obstacles, strict=True) if not why]
            rows.append((heading, arm, *texts, *quotients, n_text(*measures)))
            shown += measures
    names = letters(runs)
    divided = [f"{name} / {names[0]}, unpaired" for name, why in zip(names[1:], obstacles, strict=True) if not why]
    notes = [f"No ratio of {name} to {names[0]}: {why}." for name, why in zip(names[1:], obstacles, strict=True) if why and is_divided]
    header = ("Metric", "Arm", *names, *divided, "n")
    told = ("n: distinct prompts, by run where they differ.", *([f"Last columns are {_UNPAIRED}"] if divided else []), *notes)
    title, columns = f"{'Latencies and rates' if is_divided else 'Acceptance and answers'} at {load}", frozenset(range(2, len(header)))
    return ReportTable(title, header, tuple(rows), joint_proof(runs), numeric=columns, notes=(*told, *interval_notes(shown)), grouped=True)


def _measure(cell: Cell | None, key: str) -> Measure | None:
    return cell.metrics.get(key) if cell else None


def _cell_text(cell: Cell | None, measure: Measure | None, unit: str) -> str:
    return NOT_RUN if cell is None else flag_cells(interval_text(measure, unit), cell)


def _quotient(base: Measure | None, measure: Measure | None) -> str:
    """A number divided by another run's, in digits alone; the reason where it cannot be."""
    if base is None or measure is None or base.value is None or measure.value is None:
        return "no ratio"
    if base.value == 0:
        return "undefined (divided by 0)"
    return with_unit(*measure_number(measure.value / base.value, "ratio"))


def _ratio_table(runs: Sequence[RunUnderProtocol], load: str, arms: Sequence[str]) -> ReportTable | None:
    """Each run's own paired ratios beside those of the others."""
    pairs = dict.fromkeys(
        (c.arm, c.base) for execution in runs for c in execution.run.comparisons if c.load == load and {c.arm, c.base} <= set(arms)
    )
    bases = tuple(dict.fromkeys(base for _, base in pairs))
    is_told_once = len(bases) == 1
    rows, shown = [], []
    for key in (*(key for key in _SPEED if key.endswith((".p50", ".p95"))), "throughput.mean"):
        for arm, base in pairs:
            measures = [_paired(execution, arm, base, load=load, key=key) for execution in runs]
            if any(measures):
                texts = [
                    _paired_text(execution, arm, base, load=load, measure=measure)
                    for execution, measure in zip(runs, measures, strict=True)
                ]
                rows.append((words_of(key), arm if is_told_once else f"{arm} / {base}", *texts, n_text(*measures)))
                shown += measures
    if not rows:
        return None
    header = ("Metric", f"Arm / {bases[0]}" if is_told_once else "Arm / base", *letters(runs), "n")
    notes = ("Each column is paired within its own run.", *interval_notes(shown))
    columns = frozenset(range(2, len(header)))
    return ReportTable(f"Ratios at {load}", header, tuple(rows), joint_proof(runs), numeric=columns, notes=notes, grouped=True)


def _paired(execution: RunUnderProtocol, arm: str, base: str, *, load: str, key: str) -> Measure | None:
    pair = execution.run.comparison(arm, base, load)
    return pair.metrics.get(key) if pair else None


def _paired_text(execution: RunUnderProtocol, arm: str, base: str, *, load: str, measure: Measure | None) -> str:
    cells = [execution.run.cell(arm, load), execution.run.cell(base, load)]
    return NOT_RUN if execution.run.comparison(arm, base, load) is None else flag_cells(interval_text(measure), *cells)


def _figure(runs: Sequence[RunUnderProtocol], load: str, arms: Sequence[str]) -> RatioFigure | None:
    """Every run's own ratios on one axis, a run's letter in each name."""
    drawn = [(letter, figure) for letter, execution in zip(letters(runs), runs, strict=True) if (figure := ratio_figure(execution, load))]
    if not drawn:
        return None
    marks = [
        replace(mark, name=f"{letter}: {mark.name}")
        for group in dict.fromkeys(words_of(key) for key in RATIOS)
        for arm in arms
        for letter, figure in drawn
        for mark in figure.ratios
        if mark.group == group and mark.arm == arm
    ]
    notes = ("Each mark is an arm against the base of its own run, paired; marks of different runs are not paired.",)
    title = f"Arm against base at {load}, by run"
    return RatioFigure(load, title, tuple(marks), (), drawn[0][1].arms, joint_proof(runs), notes) if marks else None


def _rest(runs: Sequence[RunUnderProtocol]) -> Iterator[Section]:
    verdicts, decisions = _verdict_table(runs), _decision_table(runs)
    yield Section("Rubric and decision", tuple(table for table in (verdicts, decisions) if table))
    yield Section("Acceptance suites", tuple(table for table in (_suite_table(runs),) if table))
    yield Section("Memory", tuple(table for table in (_memory_table(runs),) if table))
    told = [f"{letter}: {text}" for letter, execution in zip(letters(runs), runs, strict=True) for text in execution.run.deviations]
    yield Section("Deviations from the protocol", (), tuple(told))


def _verdict_table(runs: Sequence[RunUnderProtocol]) -> ReportTable | None:
    """Outcomes of the rules that every run's protocol asks alike."""
    ids = dict.fromkeys(verdict.rule for execution in runs for verdict in execution.run.verdicts)
    alike = [rule for rule in ids if not why_not_alike(runs, "rules", rule) and all(_asks(execution, rule) for execution in runs)]
    if not alike:
        return None
    rows = []
    for rule in alike:
        verdicts = [next((v for v in execution.run.verdicts if v.rule == rule), None) for execution in runs]
        rows.append((rule, *(outcome_words(execution.run, verdict) for execution, verdict in zip(runs, verdicts, strict=True))))
    notes = (
        (f"{len(ids) - len(alike)} rules are not asked alike by every run and stand with their own run.",) if len(alike) < len(ids) else ()
    )
    return ReportTable("Rubric", ("Rule", *letters(runs)), tuple(rows), joint_proof(runs), notes=notes)


def _asks(execution: RunUnderProtocol, rule: str) -> bool:
    rules = protocol_fields(execution).get("rules")
    return isinstance(rules, list) and any(isinstance(item, dict) and item.get("id") == rule for item in rules)


def _decision_table(runs: Sequence[RunUnderProtocol]) -> ReportTable | None:
    texts = [decision_words(execution.run) for execution in runs]
    rows = tuple((letter, execution.run.id, text) for letter, execution, text in zip(letters(runs), runs, texts, strict=True))
    if not any(execution.run.decision for execution in runs):
        return None
    return ReportTable("Decision", ("Column", "Run", "Decision"), rows, joint_proof(runs))


def _suite_table(runs: Sequence[RunUnderProtocol]) -> ReportTable | None:
    found = {(s.suite, s.arm): None for execution in runs for s in execution.run.suites if not why_not_alike(runs, "arms", s.arm)}
    rows = tuple((suite, arm, *(_passed(execution, suite, arm) for execution in runs)) for suite, arm in found)
    header = ("Suite", "Arm", *letters(runs))
    columns = frozenset(range(2, len(header)))
    return ReportTable("Answers passed", header, rows, joint_proof(runs), numeric=columns, grouped=True) if rows else None


def _passed(execution: RunUnderProtocol, suite: str, arm: str) -> str:
    result = next((s for s in execution.run.suites if (s.suite, s.arm) == (suite, arm)), None)
    return passed_text(result) if result else NOT_RUN


def _memory_table(runs: Sequence[RunUnderProtocol]) -> ReportTable | None:
    arms = dict.fromkeys(arm for execution in runs for arm in execution.run.memory if not why_not_alike(runs, "arms", arm))
    rows = []
    for part in memory_parts(parts for execution in runs for parts in execution.run.memory.values()):
        for arm in arms:
            measures = [execution.run.memory.get(arm, {}).get(part) for execution in runs]
            rows.append((part_words(part), arm, *(value_or_size_text(measure, interval=True) for measure in measures), n_text(*measures)))
    header = ("Part", "Arm", *letters(runs), "n")
    columns = frozenset(range(2, len(header)))
    return (
        ReportTable("Memory", header, tuple(rows), joint_proof(runs), numeric=columns, notes=("n: sessions.",), grouped=True)
        if rows
        else None
    )
