"""Acceptance suites: the same questions to every arm, greedily, and what came of them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ledger.analysis.verdicts.facts import REFUSING
from ledger.bench.engine.clock import RunClock
from ledger.bench.engine.interface import Engine, GenerationRequest
from ledger.bench.plan.answer_checks import Graded, grade
from ledger.bench.plan.suite_items import SuiteItem
from ledger.bench.run.request import Response, exchange
from ledger.model.records.protocol import Telemetry
from ledger.model.records.run import SuiteResult

IN_FLIGHT = 8
"""Suite requests at a time: drafts go wrong in batches, so a suite asked one by one would miss it."""


@dataclass(frozen=True, slots=True)
class SuiteAnswer:
    """One arm's answer to one item, graded."""

    arm: str
    suite: str
    item: str
    category: str
    negative_control: bool
    grade: Literal["passed", "wrong", "malformed"]
    """`wrong` is readable and not right; `malformed` had no readable form, or no answer came."""
    because: str
    finish_reason: str | None
    output_sha256: str | None
    output_text: str | None
    """Kept only where the telemetry policy says `full`."""


def answered(arm: str, item: SuiteItem, response: Response, telemetry: Telemetry) -> SuiteAnswer:
    """Return the graded answer, with what the telemetry policy keeps of it."""
    verdict = Graded("malformed", response.error or "no answer") if response.outcome != "completed" else grade(response.text, item.check)
    kept = telemetry.outputs
    return SuiteAnswer(
        arm=arm,
        suite=item.suite,
        item=item.id,
        category=item.category,
        negative_control=item.negative_control,
        grade=verdict.grade,
        because=verdict.because if kept == "full" else {"passed": "as expected"}.get(verdict.grade, "not as expected"),
        finish_reason=response.finish_reason,
        output_sha256=response.output_sha256 if kept != "none" else None,
        output_text=response.text if kept == "full" else None,
    )


async def ask(engine: Engine, item: SuiteItem, tokens: Sequence[int], clock: RunClock) -> Response:
    """Send one item at temperature 0 and return the response."""
    request = GenerationRequest(
        f"suite-{item.suite}-{item.id}", tuple(tokens), item.max_tokens, temperature=0.0, ignore_eos=False, seed=None
    )
    return await exchange(engine, request, clock)


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
