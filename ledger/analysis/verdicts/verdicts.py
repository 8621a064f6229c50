"""The rubric: each rule of the protocol to pass, fail or inconclusive, and what follows for the decision.

"No worse in the suites" needs no rule: a regression against the baseline vetoes every speed verdict of its arm. As a
rule of its own it is `suite.SUITE/ARM~BASE` at least 1. Suites have no intervals, since every item of them is asked.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ledger.analysis.verdicts.differences import Measurements, control_ratios, direction, is_difference
from ledger.analysis.verdicts.facts import NONE, Facts, fact, place, why_no_verdict
from ledger.model.records.protocol import Protocol, Rule
from ledger.model.records.run import Measure, SuiteResult, Verdict
from ledger.model.values.metrics import SPEED
from ledger.model.values.reference import AnyReference, CellReference, FactReference, parse_reference

VerdictOutcome = Literal["pass", "fail", "inconclusive"]


LESS_THAN_ASKED = "a gain, but less than asked"


@dataclass(frozen=True, slots=True)
class Judgement:
    """An outcome and why, before vetoes."""

    outcome: VerdictOutcome
    because: str


def conclude(
    protocol: Protocol, measured: Measurements, facts: Facts, *, status: str, planned: bool
) -> tuple[tuple[Verdict, ...], str | None]:
    """Return the verdicts of a run and what they decide.

    Nothing rests on a run that is not complete, or that was not planned: each of its rules is inconclusive and says why,
    and nothing is decided.
    """
    if because := why_no_verdict(status, planned=planned):
        return tuple(Verdict(rule=rule.id, outcome="inconclusive", because=because) for rule in protocol.rules), None
    verdicts = evaluate(protocol, measured, facts)
    return verdicts, decide(protocol, verdicts, arms_that_fell_short(measured))


def evaluate(protocol: Protocol, measured: Measurements, facts: Facts = NONE) -> tuple[Verdict, ...]:
    """Return one verdict per rule, in the protocol's order.

    Args:
        protocol: Its rules were fixed before the run.
        measured: The run's cells and comparisons: a summary, or a run read back.
        facts: Its suites, memory and drills.
    """
    judgements = {rule.id: judge(measured, facts, rule) for rule in protocol.rules}
    failed = failed_controls(protocol, judgements)
    return tuple(_verdict(protocol, measured, facts, rule=rule, found=judgements[rule.id], failed=failed) for rule in protocol.rules)


def decide(protocol: Protocol, verdicts: Sequence[Verdict], fell_short: Collection[str] = ()) -> str | None:
    """Return the first candidate whose every rule passes, else the decision's fallback; None without a decision rule.

    A candidate that no rule names has shown nothing and is passed over; so is one of the arms that `fell_short` of the
    planned requests, be it at a load that no rule asks about.
    """
    if protocol.decision is None:
        return None
    outcomes = {verdict.rule: verdict.outcome for verdict in verdicts}
    for candidate in protocol.decision.candidates:
        rules = [rule.id for rule in rules_on(protocol, candidate)]
        if rules and candidate not in fell_short and all(outcomes.get(rule) == "pass" for rule in rules):
            return candidate
    return protocol.decision.otherwise


def arms_that_fell_short(measured: Measurements) -> frozenset[str]:
    """Return the arms of which fewer requests than planned were answered in any cell."""
    return frozenset(cell.arm for cell in measured.cells if cell.shortfall)


def rules_on(protocol: Protocol, arm: str) -> list[Rule]:
    """Return the rules whose number is an arm's, be it by itself or against a base."""
    return [rule for rule in protocol.rules if arm_of(rule) == arm]


def arm_of(rule: Rule) -> str | None:
    """Return the arm whose figure a rule bounds; None where it bounds none of an arm."""
    return _arm(parse_reference(rule.metric))


def judge(measured: Measurements, facts: Facts, rule: Rule) -> Judgement:
    """Return what the number says of a rule: inconclusive where it is withheld, or its interval straddles the bound."""
    measure = _measure(measured, facts, parse_reference(rule.metric))
    if measure is None:
        return Judgement("inconclusive", f"the run has no {rule.metric.partition('#')[2]}")
    return _against_bound(measure, rule)


def failed_controls(protocol: Protocol, judgements: Mapping[str, Judgement]) -> tuple[str, ...]:
    """Return the failed rules on control arms, in words: no speed verdict stands beside them."""
    return tuple(
        f"rule {rule.id} on the control {arm_of(rule)} failed" for rule in control_rules(protocol) if judgements[rule.id].outcome == "fail"
    )


def differing_copies(protocol: Protocol, measured: Measurements, *, load: str, key: str) -> tuple[str, ...]:
    """Return the A/A ratios that exclude 1 in one statistic at one load, in words: no verdict on that statistic stands beside them."""
    return tuple(
        f"A/A: {one.arm} differs from {one.base} in {key} at {load}"
        for one in control_ratios(protocol, measured)
        if (one.load, one.key) == (load, key) and is_difference(one.measure)
    )


def control_rules(protocol: Protocol) -> list[Rule]:
    """Return the rules on control arms: those that expect something or repeat an arm.

    An arm that is a candidate as well stays a control in what its cells show beside speed, such as how much of a draft
    is accepted: that it does not show what was expected says that the engine does not work as supposed. Its speed,
    suites, memory and drills are what the decision asks about it, and failing there is an answer.
    """
    controls = {arm.id for arm in protocol.arms if arm.expect or arm.repeats_of}
    candidates = set(protocol.decision.candidates if protocol.decision else ())
    found = [(rule, parse_reference(rule.metric)) for rule in protocol.rules]
    return [rule for rule, parsed in found if _arm(parsed) in controls and (_arm(parsed) not in candidates or _is_beside_speed(parsed))]


def _is_beside_speed(parsed: AnyReference) -> bool:
    return isinstance(parsed, CellReference) and parsed.metric not in SPEED


def suite_regressions(protocol: Protocol, suites: Sequence[SuiteResult], arm: str) -> tuple[str, ...]:
    """Return where an arm passed a smaller share of a suite, or of one of its categories, than the baseline, in words."""
    found = []
    for base in (result for result in suites if result.arm == protocol.baseline.id):
        for one in (result for result in suites if (result.suite, result.arm) == (base.suite, arm)):
            scores = {"": ((one.passed, one.passed + one.failed), (base.passed, base.passed + base.failed))}
            scores |= {f" ({c})": (one.by_category[c], base.by_category[c]) for c in sorted(base.by_category) if c in one.by_category}
            found += [
                f"suite {one.suite}{part}: {mine[0]} of {mine[1]} against {theirs[0]} of {theirs[1]}"
                for part, (mine, theirs) in scores.items()
                if mine[0] * theirs[1] < theirs[0] * mine[1]
            ]
    return tuple(found)


def missing_suites(protocol: Protocol, suites: Sequence[SuiteResult], arm: str) -> tuple[str, ...]:
    """Return the protocol's suites that the arm or the baseline has no result for."""
    have = {(result.suite, result.arm) for result in suites}
    return tuple(suite for suite in protocol.suites if not {(suite, arm), (suite, protocol.baseline.id)} <= have)


def _verdict(protocol: Protocol, measured: Measurements, facts: Facts, *, rule: Rule, found: Judgement, failed: tuple[str, ...]) -> Verdict:
    parsed = parse_reference(rule.metric)
    if not isinstance(parsed, CellReference) or parsed.metric not in SPEED:
        return Verdict(rule=rule.id, outcome=found.outcome, because=found.because)
    suites, key = facts.suites, f"{parsed.metric}.{parsed.stat}"
    broken = (*failed, *differing_copies(protocol, measured, load=parsed.load, key=key))
    regressions, missing = suite_regressions(protocol, suites, parsed.arm), missing_suites(protocol, suites, parsed.arm)
    vetoed = _apply_vetoes(found, broken, regressions, missing=missing)
    if vetoed is not found:
        return Verdict(rule=rule.id, outcome=vetoed.outcome, because=vetoed.because)
    measure = _measure(measured, NONE, parsed)
    if not parsed.base or measure is None:
        return Verdict(rule=rule.id, outcome=found.outcome, because=found.because)
    shown = direction(measure, lower_is_better=rule.direction == "lower-is-better")
    because = f"{found.because}; {LESS_THAN_ASKED}" if (found.outcome, shown) == ("fail", "better") else found.because
    return Verdict(rule=rule.id, outcome=found.outcome, because=because, direction=shown)


def _apply_vetoes(found: Judgement, broken: tuple[str, ...], regressions: tuple[str, ...], *, missing: tuple[str, ...]) -> Judgement:
    """Return the judgement after the vetoes: an invalid run decides nothing, a regressed arm passes nothing."""
    if broken:
        return Judgement("inconclusive", f"{found.because}; invalid, {'; '.join(broken)}")
    if regressions:
        outcome: VerdictOutcome = "fail" if found.outcome == "pass" else found.outcome
        return Judgement(outcome, f"{found.because}; vetoed, {'; '.join(regressions)}")
    if missing:
        outcome = "inconclusive" if found.outcome == "pass" else found.outcome
        return Judgement(outcome, f"{found.because}; no result of suite {', '.join(missing)}")
    return found


def _measure(measured: Measurements, facts: Facts, parsed: AnyReference) -> Measure | None:
    if isinstance(parsed, FactReference):
        return fact(facts, parsed)
    if not isinstance(parsed, CellReference):
        return None
    key = f"{parsed.metric}.{parsed.stat}"
    if parsed.base:
        pair = (parsed.arm, parsed.base, parsed.load)
        return next((c.metrics.get(key) for c in measured.comparisons if (c.arm, c.base, c.load) == pair), None)
    place = (parsed.arm, parsed.load, parsed.repeat)
    return next((c.metrics.get(key) for c in measured.cells if (c.arm, c.load, c.repeat) == place), None)


def _against_bound(measure: Measure, rule: Rule) -> Judgement:
    """Return how a measure stands to the rule's bound, by its whole interval; a count without one by its value."""
    if measure.value is None:
        return Judgement("inconclusive", measure.reason or "no value")
    words = f"{_digits(measure.value)} against {rule.bound.replace('-', ' ')} {rule.value}"
    if measure.low is None or measure.high is None:
        if measure.interval_reason:
            return Judgement("inconclusive", f"{words}; no interval: {measure.interval_reason}")
        low = high = measure.value
    else:
        low, high = measure.low, measure.high
        ends = f"{_digits(low)} to {_digits(high)}"
        words = f"{_digits(measure.value)} ({ends}) against {rule.bound.replace('-', ' ')} {rule.value}"
    bound = float(rule.value)
    inside = (low <= bound, high <= bound) if rule.bound == "at-most" else (high >= bound, low >= bound)
    if all(inside):
        return Judgement("pass", words)
    return Judgement("inconclusive", f"{words}; the interval straddles the bound") if any(inside) else Judgement("fail", words)


def _digits(value: float) -> str:
    """Four significant digits; a number of more whole ones keeps them all."""
    return f"{value:.0f}" if abs(value) >= 10_000 else f"{value:.4g}"


def speed_statistics(protocol: Protocol) -> list[tuple[str, str]]:
    """Return load and `metric.stat` of every speed rule: what the A/A ratios must hold in."""
    references = [parse_reference(rule.metric) for rule in protocol.rules]
    found = [(one.load, f"{one.metric}.{one.stat}") for one in references if isinstance(one, CellReference) and one.metric in SPEED]
    return list(dict.fromkeys(found))


def _arm(parsed: AnyReference) -> str | None:
    if isinstance(parsed, CellReference):
        return parsed.arm
    where = place(parsed) if isinstance(parsed, FactReference) else None
    return where.arm if where else None
