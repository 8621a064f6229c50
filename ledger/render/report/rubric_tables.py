"""One run against its protocol: the rubric, the decision with why each candidate fell, controls, suites."""

from collections.abc import Iterator, Mapping

from ledger.analysis.claims.resolve import measure_number, resolve
from ledger.analysis.verdicts.differences import check_controls
from ledger.analysis.verdicts.facts import Facts
from ledger.analysis.verdicts.verdicts import failed_controls, judge, rules_on, speed_statistics, suite_regressions
from ledger.model.catalogue import Catalogue
from ledger.model.records.protocol import Arm, Protocol, Rule
from ledger.model.records.run import Measure, Run, SuiteResult, Verdict
from ledger.model.values.reference import CellReference, parse_reference
from ledger.model.values.units import plain, with_unit
from ledger.render.report.load_tables import words_of
from ledger.render.report.report import ReportTable
from ledger.render.report.words import OLDER_STATISTICS, RunUnderProtocol, n_text, proof
from ledger.render.runs.measure_text import flag_cells, interval_text, size_text, value_or_size_text
from ledger.render.runs.rows import passed_text

NO_VERDICT = "no verdict: the run is unplanned"
_COUNTS = "Answered once an arm; counts, without an interval."


def rubric_table(execution: RunUnderProtocol, catalogue: Catalogue) -> ReportTable | None:
    """Return the rules with what the run found; None where none was asked. An unplanned run shows no outcome."""
    rules = execution.protocol.rules if execution.protocol else ()
    verdicts = {verdict.rule: verdict for verdict in execution.run.verdicts}
    if not rules and not verdicts:
        return None
    if not rules:
        return _recorded_only(execution.run)
    rows = tuple(_rule_row(execution.run, rule, verdicts.get(rule.id), catalogue=catalogue) for rule in rules)
    under = tuple(f"{subject(rule)}. {rule.question}{_why(execution.run, verdicts.get(rule.id))}" for rule in rules)
    return ReportTable(
        "Rubric", ("Rule", "Bound", "Found", "n", "Outcome"), rows, proof(execution.run), numeric=frozenset((2, 3)), under=under
    )


def _recorded_only(run: Run) -> ReportTable:
    rows = tuple((v.rule, outcome_words(run, v)) for v in run.verdicts)
    notes = (f"The rules stand in {run.protocol}, which is not in this ledger with the meaning that was run.",)
    return ReportTable("Rubric", ("Rule", "Outcome"), rows, proof(run), notes=notes)


def _rule_row(run: Run, rule: Rule, verdict: Verdict | None, *, catalogue: Catalogue) -> tuple[str, ...]:
    found = resolve(catalogue, rule.metric, {"@this": run.id})
    text = value_or_size_text(found.measure, interval=True) if found.measure else found.text or found.reason or "no value"
    count = n_text(found.measure) if found.measure else ""
    bound = f"{rule.bound.replace('-', ' ')} {_in_unit(rule, found.measure)}"
    outcome = verdict.outcome if verdict and run.planned else outcome_words(run, verdict)
    return rule.id, bound, f"{text}{_flag(run, rule)}", count or "none", outcome


def _in_unit(rule: Rule, measure: Measure | None) -> str:
    """A bound in the unit that the number prints with; as the rule states it where there is no number."""
    return bound_text(rule, measure.unit) if measure else str(rule.value)


def bound_text(rule: Rule, unit: str) -> str:
    """Return a rule's bound, in all its digits, with the unit that a measure of that unit prints with."""
    if unit == "bytes":
        return size_text(float(rule.value))
    printed = measure_number(0.0, unit)[1]
    return with_unit(plain((rule.value * _FACTORS.get(unit, 1)).normalize()), printed)


_FACTORS = {"s": 1000, "share": 100}
"""Of printed units, for bounds."""


def _flag(run: Run, rule: Rule) -> str:
    reference = parse_reference(rule.metric)
    if not isinstance(reference, CellReference):
        return ""
    return flag_cells("", *(run.cell(arm, reference.load) for arm in (reference.arm, reference.base) if arm))


def outcome_words(run: Run, verdict: Verdict | None) -> str:
    """Return a verdict in words; none is shown of an unplanned run."""
    if not run.planned:
        return "no verdict"
    if verdict is None:
        return "not judged"
    return f"{verdict.outcome} ({verdict.direction})" if verdict.direction else verdict.outcome


def _why(run: Run, verdict: Verdict | None) -> str:
    """What a verdict says beyond outcome, number and bound, which the row holds; nothing of an unplanned run."""
    if verdict is None or not run.planned:
        return ""
    shown = f" Direction: {verdict.direction}." if verdict.direction else ""
    reasons = verdict.because.partition("; ")[2]
    return f"{shown} Why: {reasons}." if reasons else shown


def subject(rule: Rule) -> str:
    """Return what a rule is about: `ngram-4 / baseline at c1: TPOT, median`."""
    reference = parse_reference(rule.metric)
    if isinstance(reference, CellReference):
        pair = f"{reference.arm} / {reference.base}" if reference.base else reference.arm
        repeat = f", repeat {reference.repeat}" if reference.repeat else ""
        return f"{pair} at {reference.load}{repeat}: {words_of(f'{reference.metric}.{reference.stat}')}"
    return rule.metric.partition("#")[2]


def decision_table(execution: RunUnderProtocol) -> ReportTable | None:
    """Return the candidates in order with why each stood or fell, and the fallback; None without a decision or a plan."""
    plan = execution.protocol.decision if execution.protocol else None
    if execution.protocol is None or plan is None or not execution.run.planned:
        return None
    outcomes = {verdict.rule: verdict.outcome for verdict in execution.run.verdicts}
    rows = [(name, "candidate", _fate(execution, name), _standing(execution.protocol, name, outcomes)) for name in plan.candidates]
    is_chosen = execution.run.decision == plan.otherwise
    rows.append(
        (plan.otherwise, "fallback", *(("chosen", "no candidate passed its rules") if is_chosen else ("not needed", "a candidate passed")))
    )
    title = f"Decision: {execution.run.decision or 'none recorded'}"
    notes = ("The first candidate that passes every rule on it, else the fallback.",)
    return ReportTable(title, ("Arm", "Stands as", "Fate", "Why"), tuple(rows), proof(execution.run), notes=notes)


def _fate(execution: RunUnderProtocol, candidate: str) -> str:
    if execution.run.decision == candidate:
        return "chosen"
    names = execution.protocol.decision.candidates if execution.protocol and execution.protocol.decision else ()
    came_before = execution.run.decision in names and names.index(candidate) > names.index(str(execution.run.decision))
    return "not reached" if came_before else "fell"


def _standing(protocol: Protocol, candidate: str, outcomes: Mapping[str, str]) -> str:
    rules = [rule.id for rule in rules_on(protocol, candidate)]
    if not rules:
        return "no rule names it, so it has shown nothing"
    lost = [f"{rule}: {outcomes.get(rule, 'not judged')}" for rule in rules if outcomes.get(rule) != "pass"]
    return "; ".join(lost) if lost else f"passed {', '.join(rules)}"


def control_table(execution: RunUnderProtocol) -> ReportTable | None:
    """Return the control arms, what each must show, and what it showed; None where there is none."""
    if execution.protocol is None:
        return None
    rows = []
    for arm in execution.protocol.arms:
        if arm.repeats_of:
            rows.append((arm.id, f"no difference from {arm.repeats_of} (A/A)", _aa_words(execution, arm)))
        if arm.expect:
            rows.append((arm.id, arm.expect, "; ".join(_expected(execution, arm)) or "no rule asks it"))
    if not rows:
        return None
    notes = tuple(_control_notes(execution.protocol, execution.run)) if execution.run.planned else ()
    return ReportTable("Controls", ("Control", "Must show", "Showed"), tuple(rows), proof(execution.run), notes=notes)


def _control_notes(protocol: Protocol, run: Run) -> Iterator[str]:
    """What the controls say of the run as a whole."""
    failed = failed_controls(protocol, {rule.id: judge(run, Facts.of(run), rule) for rule in protocol.rules})
    if failed:
        yield f"Broken: {'; '.join(failed)}. No speed verdict stands."
    if run.has_older_statistics:
        yield f"A/A: not judged. {OLDER_STATISTICS}"
        return
    check = check_controls(protocol, run, speed_statistics(protocol))
    if check.judged:
        yield f"A/A: {check.different} of {check.judged} ratios exclude 1, about {check.expected:.1f} expected by chance."
        broken = "; ".join(f"{one.arm} differs from {one.base} in {words_of(one.key)} at {one.load}" for one in check.broken)
        yield f"With Holm's correction over the rubric's metrics: {broken or 'none differs'}."
    elif check.unjudged:
        yield "A/A: not judged, since one engine life an arm does not show what differs between lives."


def _aa_words(execution: RunUnderProtocol, arm: Arm) -> str:
    """The A/A ratios of the statistics that the rules use."""
    assert arm.repeats_of is not None  # callers ask for A/A arms only
    keys = dict.fromkeys(_ratio_keys(execution.protocol)) if execution.protocol else {}
    found = []
    for load, key in keys:
        pair = execution.run.comparison(arm.id, arm.repeats_of, load)
        if pair and key in pair.metrics:
            measure = pair.metrics[key]
            flag = flag_cells("", execution.run.cell(arm.id, load), execution.run.cell(arm.repeats_of, load))
            found.append(f"{words_of(key)} at {load}: {interval_text(measure)}, n = {measure.n}{flag}")
    return "; ".join(found) or "no rule uses a ratio, so none is looked at"


def _ratio_keys(protocol: Protocol) -> Iterator[tuple[str, str]]:
    for rule in protocol.rules:
        reference = parse_reference(rule.metric)
        if isinstance(reference, CellReference) and reference.base:
            yield reference.load, f"{reference.metric}.{reference.stat}"


def _expected(execution: RunUnderProtocol, arm: Arm) -> Iterator[str]:
    verdicts = {verdict.rule: verdict for verdict in execution.run.verdicts}
    for rule in rules_on(execution.protocol, arm.id) if execution.protocol else ():
        yield f"{rule.id}: {outcome_words(execution.run, verdicts.get(rule.id))}"


def suite_tables(execution: RunUnderProtocol) -> Iterator[ReportTable]:
    """Yield one table a suite: what each arm passed, in whole and by category, and where an arm fell below the baseline."""
    for suite in dict.fromkeys(result.suite for result in execution.run.suites):
        results = [result for result in execution.run.suites if result.suite == suite]
        categories = sorted({name for result in results for name in result.by_category})
        has_controls = any(result.negative_controls for result in results)
        header = ("Arm", "Passed", "Malformed", *(name.capitalize() for name in categories), *(["Must refuse"] if has_controls else []))
        rows = tuple(_suite_row(result, categories, has_controls=has_controls) for result in results)
        lost = [f"{result.arm}: {'; '.join(texts)}" for result in results if (texts := _regressions(execution, result))]
        notes = (_COUNTS, f"Below the baseline: {'; '.join(lost)}." if lost else "No arm falls below the baseline.")
        title = f"Answers to {suite}"
        yield ReportTable(
            title,
            header,
            rows,
            proof(execution.run),
            numeric=frozenset(range(1, len(header))),
            notes=notes if execution.protocol else (_COUNTS,),
        )


def _suite_row(result: SuiteResult, categories: list[str], *, has_controls: bool) -> tuple[str, ...]:
    scores = [result.by_category.get(name) for name in categories] + ([result.negative_controls] if has_controls else [])
    parts = [f"{pair[0]} of {pair[1]}" if pair else "not asked" for pair in scores]
    return result.arm, passed_text(result), str(result.malformed), *parts


def _regressions(execution: RunUnderProtocol, result: SuiteResult) -> tuple[str, ...]:
    if execution.protocol is None or result.arm == execution.protocol.baseline.id:
        return ()
    return tuple(
        text for text in suite_regressions(execution.protocol, execution.run.suites, result.arm) if text.startswith(f"suite {result.suite}")
    )
