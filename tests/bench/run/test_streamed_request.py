"""One request: every end has its outcome and its reason."""

import asyncio

import pytest

from ledger.bench.engine.clock import RunClock
from ledger.bench.engine.interface import GenerationRequest
from ledger.bench.plan.plan import PlannedCell
from ledger.bench.run.streamed_request import EncodedPrompt, LoadRequest, Response, send_request, trace_of, unsent
from ledger.model.records.protocol import Arm
from tests.bench.conftest import Run
from tests.bench.fake_engine import FakeBackend, FakeEngine, Script, Step
from tests.bench.virtual_time import VirtualClock


@pytest.mark.parametrize(
    ("script", "outcome", "error"),
    [
        (Script(), "completed", None),
        (Script(steps=(Step(0.1, 0),)), "empty", None),
        (Script(steps=(Step(0.1, 0),), finish_reason="stop"), "ended-empty", None),
        (Script(finish_reason="abort"), "aborted", None),
        (Script(fails="EngineGenerateError: no"), "failed", "EngineGenerateError: no"),
        (Script(finish_reason=None), "failed", "the stream ended without a finish reason"),
        (Script(steps=(Step(10_000, 1),)), "aborted", "nothing delivered for 900 s"),
    ],
)
def test_every_end_is_a_row_with_its_reason(run: Run, script: Script, outcome: str, error: str | None) -> None:
    result = run(FakeBackend(lambda _: script))
    assert len(result.traces) == 12
    assert {(trace.outcome, trace.error) for trace in result.traces} == {(outcome, error)}
    assert result.status == ("complete" if outcome in ("completed", "ended-empty") else "failed")


def test_chunks_are_stamped_counted_and_joined_and_steps_without_a_draft_count_as_zero() -> None:
    clock = RunClock.starting_at(VirtualClock())
    script = Script(steps=(Step(0.25, 1), Step(0.04, 3), Step(0.02, 1)), drafted=(4,), accepted=(2,))

    async def send() -> Response:
        engine = FakeEngine(Arm(id="base"), lambda _: script, start_up_s=0.0)
        await engine.start()
        return await send_request(engine, GenerationRequest("r", (1, 2), 8, 0.0, False, None), clock)

    with asyncio.Runner(loop_factory=clock.clock.loop_factory) as runner:
        answer = runner.run(send())
    trace = trace_of(PlannedCell("base", "c1", 1), LoadRequest("measured", 5, EncodedPrompt("p7", (1, 2))), 0.0, response=answer)
    assert trace.chunks_s == pytest.approx((0.25, 0.29, 0.31))
    assert (trace.chunk_tokens, trace.output_text, trace.prompt_tokens, trace.prompt_id, trace.index) == ((1, 3, 1), "wwwww", 2, "p7", 5)
    assert (trace.steps_drafted, trace.steps_accepted) == ((4, 0), (2, 0))


def test_a_client_that_leaves_aborts_its_request() -> None:
    clock = RunClock.starting_at(VirtualClock())

    async def send() -> Response:
        engine = FakeEngine(Arm(id="base"), lambda _: Script(steps=(Step(0.1, 1),) * 9), start_up_s=0.0)
        await engine.start()
        return await send_request(engine, GenerationRequest("r", (1,), 9, 0.0, False, None), clock, leaves=lambda chunks: chunks >= 2)

    with asyncio.Runner(loop_factory=clock.clock.loop_factory) as runner:
        answer = runner.run(send())
    assert (answer.outcome, len(answer.chunks_s)) == ("aborted", 2)


def test_a_request_without_an_engine_is_a_failure_of_no_length() -> None:
    clock = RunClock.starting_at(VirtualClock(), 3.0)
    response = unsent(clock)
    assert (response.outcome, response.sent_s, response.ended_s, response.error) == ("failed", 3.0, 3.0, "not sent: the engine had died")
