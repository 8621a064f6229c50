"""Acceptance suites: the same questions to every arm, greedily, and what came of them."""

from collections.abc import Sequence

from ledger.bench.engine.clock import RunClock
from ledger.bench.engine.interface import Engine, GenerationRequest
from ledger.bench.plan.answer_checks import Assessment, grade
from ledger.bench.plan.suite_items import SuiteItem
from ledger.bench.plan.suite_results import SuiteAnswer
from ledger.bench.run.streamed_request import Response, send_request
from ledger.model.records.protocol import Telemetry

IN_FLIGHT = 8
"""Suite requests at a time: drafts go wrong in batches, so a suite asked one by one would miss it."""


def suite_answer(arm: str, item: SuiteItem, response: Response, *, telemetry: Telemetry) -> SuiteAnswer:
    """Return the graded answer, with what the telemetry policy keeps of it."""
    verdict = (
        Assessment("malformed", response.error or "no answer") if response.outcome != "completed" else grade(response.text, item.check)
    )
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


async def ask(engine: Engine, item: SuiteItem, tokens: Sequence[int], *, clock: RunClock) -> Response:
    """Send one item at temperature 0 and return the response."""
    request = GenerationRequest(
        f"suite-{item.suite}-{item.id}", tuple(tokens), item.max_tokens, temperature=0.0, ignore_eos=False, seed=None
    )
    return await send_request(engine, request, clock)
