"""Graded answers of acceptance suites, and what they come to by suite and arm. Pure: the run grades, a journal is read back."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ledger.analysis.verdicts.facts import REFUSING
from ledger.bench.plan.answer_checks import Grade
from ledger.model.records.run import SuiteResult


@dataclass(frozen=True, slots=True)
class SuiteAnswer:
    """One arm's answer to one item, graded."""

    arm: str
    suite: str
    item: str
    category: str
    negative_control: bool
    grade: Grade
    """`wrong` is readable and not right; `malformed` had no readable form, or no answer came."""
    because: str
    finish_reason: str | None
    output_sha256: str | None
    output_text: str | None
    """Kept only where the telemetry policy says `full`."""


def suite_results(answers: Iterable[SuiteAnswer]) -> tuple[SuiteResult, ...]:
    """Return passed, failed and malformed by suite and arm, in the order in which they were first answered."""
    groups: dict[tuple[str, str], list[SuiteAnswer]] = defaultdict(list)
    for answer in answers:
        groups[answer.suite, answer.arm].append(answer)
    return tuple(suite_result(suite, arm, group) for (suite, arm), group in groups.items())


def suite_result(suite: str, arm: str, answers: Sequence[SuiteAnswer]) -> SuiteResult:
    """Return the result of one suite on one arm."""
    passed: dict[str, int] = defaultdict(int)
    asked: dict[str, int] = defaultdict(int)
    for answer in answers:
        asked[answer.category] += 1
        passed[answer.category] += answer.grade == "passed"
    total = sum(passed.values())
    return SuiteResult(
        suite=suite,
        arm=arm,
        passed=total,
        failed=len(answers) - total,
        malformed=sum(answer.grade == "malformed" for answer in answers),
        by_category={category: (passed[category], asked[category]) for category in asked},
        negative_controls=negative_controls(answers),
    )


def negative_controls(answers: Sequence[SuiteAnswer]) -> tuple[int, int] | None:
    """Return passed and asked of the negative controls; None where the categories `refusal` and `abstain` tell them."""
    controls = [answer for answer in answers if answer.negative_control]
    if controls == [answer for answer in answers if answer.category in REFUSING]:
        return None
    return sum(answer.grade == "passed" for answer in controls), len(controls)
