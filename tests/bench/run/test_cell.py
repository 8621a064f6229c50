"""One cell: its ramp, its cache, and what of both reaches the record, at exact instants."""

from collections import Counter

import pytest

from ledger.analysis.measures.request_metrics import ttft_s
from ledger.model.trace import RequestTrace
from tests.bench.conftest import Run
from tests.bench.fake_engine import FakeBackend, FakeEngine, Script, Step

SECOND = Script(steps=(Step(1.0, 1),))
"""Holds its slot for one second."""


def near(value: object) -> object:
    """The value to a tenth of a microsecond."""
    return pytest.approx(value, abs=1e-7)


def of_phase(traces: tuple[RequestTrace, ...], phase: str, arm: str = "base") -> list[RequestTrace]:
    """The requests of one phase of one arm, in the order in which they were scheduled."""
    return sorted((trace for trace in traces if (trace.arm, trace.phase) == (arm, phase)), key=lambda trace: trace.scheduled_s)


def test_the_slots_of_a_closed_loop_start_one_after_another_and_the_measured_follow_without_a_gap(run: Run) -> None:
    """Four slots of one second over a ramp of three: they start at 0, 0.75, 1.5 and 2.25 and come round every second."""
    load = {"id": "c4", "concurrency": 4, "requests": 5, "ramp_s": "3"}
    result = run(FakeBackend(lambda _: SECOND), prompts=6, loads=[load], warm_up_requests=1)
    ramp, measured = (of_phase(result.traces, phase) for phase in ("ramp", "measured"))
    start_s = ramp[0].scheduled_s
    assert [trace.scheduled_s - start_s for trace in ramp] == near([0, 0.75, 1, 1.5, 1.75, 2, 2.25, 2.5, 2.75])
    assert [trace.scheduled_s - start_s for trace in measured] == near([3, 3.25, 3.5, 3.75, 4])
    assert [trace.prompt_id for trace in ramp] == ["p5", "p4", "p3", "p2", "p1", "p0", "p5", "p4", "p3"]
    assert [trace.prompt_id for trace in measured] == ["p0", "p1", "p2", "p3", "p4"]
    assert [ttft_s(trace) for trace in (*ramp, *measured)] == near([1.0] * 14)
    assert [trace.index for trace in ramp] == list(range(9))


def test_a_request_that_falls_due_at_the_ramps_end_is_measured(run: Run) -> None:
    load = {"id": "c1", "concurrency": 1, "requests": 2, "ramp_s": "2"}
    result = run(FakeBackend(lambda _: SECOND), loads=[load])
    assert Counter(trace.phase for trace in result.traces if trace.arm == "base") == {"ramp": 2, "measured": 2}


def test_an_open_loops_rate_grows_from_nothing_and_every_arm_meets_the_same_arrivals(run: Run) -> None:
    load = {"id": "r2", "kind": "open", "rate_per_s": "2", "arrivals": "constant", "requests": 3, "ramp_s": "4"}
    result = run(FakeBackend(lambda _: SECOND), loads=[load])
    ramp = of_phase(result.traces, "ramp")
    start_s = ramp[0].scheduled_s - 2
    assert [trace.scheduled_s - start_s for trace in ramp] == near([2, 8**0.5, 12**0.5])
    assert [trace.scheduled_s - start_s for trace in of_phase(result.traces, "measured")] == near([4, 4.5, 5])
    assert [trace.prompt_id for trace in ramp] == ["p3", "p2", "p1"]
    for phase in ("ramp", "measured"):
        gaps = {
            arm: [trace.scheduled_s - of_phase(result.traces, "ramp", arm)[0].scheduled_s for trace in of_phase(result.traces, phase, arm)]
            for arm in ("base", "ngram")
        }
        assert gaps["base"] == near(gaps["ngram"])


def test_an_engine_that_dies_in_the_ramp_ends_it(run: Run) -> None:
    """Its slots fall free at once and would ask without end; the measured requests fail instead, and the cell is unfinished."""
    deadly = Script(fails="EngineDeadError: gone", kills=True)
    load = {"id": "c2", "concurrency": 2, "requests": 3, "ramp_s": "60"}
    result = run(FakeBackend(lambda request: deadly if request.id == "base-c2-r1-ramp-1" else SECOND), loads=[load])
    base = [trace for trace in result.interrupted if trace.arm == "base"]
    assert len([trace for trace in base if trace.phase == "ramp"]) < 70
    assert [trace.outcome for trace in base if trace.phase == "measured"] == ["failed"] * 3


class TestCache:
    """Cold empties the prefix cache, warm fills it, both before anything is measured."""

    def test_a_warm_load_sends_each_prompt_once_and_keeps_what_is_cached(self, run: Run) -> None:
        order: list[tuple[str, str]] = []

        def watched(engine: FakeEngine) -> None:
            reset = engine.reset_prefix_cache

            async def noted() -> bool:
                order.append((engine.arm.id, "reset"))
                return await reset()

            engine.reset_prefix_cache = noted  # type: ignore[method-assign]  # the engine's own, and a note of when

        def answer(request: object) -> Script:
            arm, _, _, *phase, _ = str(request.id).split("-")  # type: ignore[attr-defined]  # a GenerationRequest
            order.append((arm, "-".join(phase)))
            return Script()

        load = {"id": "c2", "concurrency": 2, "requests": 6, "cache": "warm"}
        result = run(FakeBackend(answer, prepare=watched), loads=[load], warm_up_requests=2, prompts=4)
        assert [what for arm, what in order if arm == "base"] == ["warm-up"] * 2 + ["reset"] + ["warm-up"] * 4 + ["measured"] * 6
        sent = of_phase(result.traces, "warm-up")
        assert [trace.prompt_id for trace in sent] == ["p3", "p2", "p0", "p1", "p2", "p3"]
        assert sorted(trace.index for trace in sent) == list(range(6))

    def test_only_prompts_that_the_cell_uses_are_sent_beforehand(self, run: Run) -> None:
        result = run(loads=[{"id": "c2", "concurrency": 2, "requests": 2, "cache": "warm"}], prompts=9)
        assert [trace.prompt_id for trace in of_phase(result.traces, "warm-up")] == ["p0", "p1"]

    def test_a_cold_load_sends_nothing_beforehand(self, run: Run) -> None:
        result = run(loads=[{"id": "c2", "concurrency": 2, "requests": 2, "cache": "cold"}])
        assert {trace.phase for trace in result.traces} == {"measured"}
