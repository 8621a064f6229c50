"""Fault drills on an engine with known times: every metric exact, every attempt whole or not there, no fault beyond its drill."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ledger.bench.engine.interface import GenerationRequest
from ledger.bench.journal.evidence_rows import DRILLS
from ledger.bench.journal.journal import NAME
from ledger.bench.journal.parquet import read_traces
from ledger.bench.journal.result import RunResult, read_result
from ledger.bench.plan.estimate import Pace
from ledger.bench.plan.plan import outline, sessions
from ledger.bench.run.drills import drill_arrivals_s
from ledger.bench.run.progress import Progress
from ledger.bench.run.runner import resume
from ledger.bench.vllm import preflight
from ledger.errors import EnvironmentFaultError
from ledger.model.records.protocol import Telemetry
from ledger.model.records.run import DrillResult
from tests.bench.conftest import Run, protocol_of, resume_request, suite_item
from tests.bench.fake_engine import FakeBackend, FakeEngine, Script, Step
from tests.bench.virtual_time import VirtualClock

DISCONNECT = {"id": "leave", "kind": "disconnect", "requests": 5, "after_chunks": 2}
KILL = {"id": "kill", "kind": "engine-killed", "requests": 3, "after_chunks": 2}
OVERLOAD = {"id": "flood", "kind": "overload", "requests": 6, "rate_per_s": "10"}
START_S = 5.0


def near(value: Any) -> Any:
    """The value to a tenth of a microsecond."""
    return pytest.approx(value, abs=1e-7)


def steady(_: GenerationRequest) -> Script:
    """Six chunks: the first after 0.1 s, the others 0.02 s apart."""
    return Script(steps=(Step(0.1, 1), *(Step(0.02, 1),) * 5))


def index_of(request: GenerationRequest) -> int:
    """The index of a request, which ends its id."""
    return int(request.id.rpartition("-")[2])


def staggered(request: GenerationRequest) -> Script:
    """Seven chunks: the first 0.1 s after the send and a hundredth more for each request before it, the others 0.03 s apart."""
    return Script(steps=(Step(0.1 + 0.01 * index_of(request), 1), *(Step(0.03, 1),) * 6))


def result_of(result: RunResult, drill: str, arm: str = "base") -> DrillResult:
    """The result of a drill on an arm."""
    return next(one for one in result.drills if (one.drill, one.arm) == (drill, arm))


def rows_of(result: RunResult) -> Counter[tuple[str, str, int]]:
    """Drill, arm and index of every request of a drill."""
    return Counter((trace.load, trace.arm, trace.index) for trace in result.drill_traces)


def values(result: DrillResult) -> dict[str, float | None]:
    """The value of every metric."""
    return {name: measure.value for name, measure in result.metrics.items()}


def test_clients_that_leave_are_no_loss_and_the_engine_takes_its_time_to_free_their_blocks(run: Run) -> None:
    def slow_to_release(engine: FakeEngine) -> None:
        engine.holds_blocks_s = 0.05

    result = run(FakeBackend(steady, prepare=slow_to_release), drills=[DISCONNECT])
    found = result_of(result, "leave")
    requests = {trace.index: trace for trace in result.drill_traces if trace.arm == "base"}
    assert [(requests[index].outcome, requests[index].error) for index in range(5)] == [
        ("completed", None),
        ("aborted", "the client left"),
        ("completed", None),
        ("aborted", "the client left"),
        ("completed", None),
    ]
    assert [len(requests[index].chunks_s) for index in range(6)] == [6, 2, 6, 2, 6, 6]
    start_s = requests[0].scheduled_s
    # asked every 0.02 s from the last request's end at 0.2 s on, the engine is free at 0.25 s
    assert {name: at_s - start_s for name, at_s in found.instants_s.items()} == near({"fault": 0.12, "ended": 0.2, "released": 0.26})
    assert values(found) == near(
        {
            "left.count": 2,
            "lost.count": 0,
            "release.seconds": 0.14,
            "release-idle.seconds": 0.06,
            "probe.ttft": 0.1,
            "recovery.seconds": 0.24,
        }
    )
    assert {name: measure.n for name, measure in found.metrics.items()} == {
        "left.count": 5,
        "lost.count": 5,
        "release.seconds": 2,
        "release-idle.seconds": 5,
        "probe.ttft": 1,
        "recovery.seconds": 1,
    }


def test_a_killed_engine_is_noticed_replaced_and_asked_again(run: Run) -> None:
    backend = FakeBackend(staggered)
    result = run(backend, drills=[KILL])
    found = result_of(result, "kill")
    requests = {trace.index: trace for trace in result.drill_traces if trace.arm == "base"}
    start_s = requests[0].scheduled_s
    # the last request delivers its second chunk at 0.15 s; the three notice when their next one is due
    instants = {"fault": 0.15, "noticed": 0.18, "stopped": 0.18, "restarted": 0.18 + START_S}
    assert {name: at_s - start_s for name, at_s in found.instants_s.items()} == near(instants)
    assert values(found) == near(
        {"lost.count": 3, "notice.seconds": 0.03, "restart.seconds": START_S, "probe.ttft": 0.13, "recovery.seconds": 0.03 + START_S + 0.13}
    )
    assert {requests[index].outcome for index in range(3)} == {"failed"}
    assert requests[3].outcome == "completed"
    assert [(engine.arm.id, engine.was_killed, engine.alive) for engine in backend.engines] == [
        ("base", True, False),
        ("base", False, False),
        ("ngram", True, False),
        ("ngram", False, False),
    ]


def test_arrivals_beyond_capacity_are_counted_and_drained(run: Run) -> None:
    def script_of(request: GenerationRequest) -> Script:
        full = Script(steps=(Step(0.5, 1),), fails="EngineGenerateError: full")
        scripts = {2: full, 4: Script(steps=(Step(0.2, 1),), finish_reason="abort")}
        own = scripts.get(index_of(request)) if "-flood-" in request.id else None
        return own or Script(steps=(Step(0.3, 1), Step(0.7, 1)))

    plan = protocol_of(drills=[OVERLOAD])
    result = run(FakeBackend(script_of), protocol=plan)
    found = result_of(result, "flood")
    requests = sorted((trace for trace in result.drill_traces if trace.arm == "base"), key=lambda trace: trace.index)
    arrivals = drill_arrivals_s(plan, plan.drills[0])
    origin_s = requests[0].scheduled_s - arrivals[0]
    assert [trace.scheduled_s - origin_s for trace in requests[:6]] == near(arrivals)
    ends = [at_s + {2: 0.5, 4: 0.2}.get(index, 1.0) for index, at_s in enumerate(arrivals)]
    peak = max(sum(arrived <= at_s < end for arrived, end in zip(arrivals, ends, strict=True)) for at_s in arrivals)
    assert peak > 2
    assert values(found) == near(
        {
            "completed.count": 4,
            "failed.count": 1,
            "aborted.count": 1,
            "lost.count": 2,
            "backlog-peak.count": peak,
            "drain.seconds": max(ends) - arrivals[-1],
            "ttft.p50": 0.3,
            "ttft.max": 0.5,
            "probe-before.ttft": 0.3,
            "probe.ttft": 0.3,
            "recovery.seconds": max(ends) - arrivals[-1] + 0.3,
        }
    )
    assert requests[7].chunks_s[-1] <= requests[0].scheduled_s - arrivals[0] + 1e-7
    assert requests[6].prompt_id == requests[7].prompt_id


def test_arms_meet_the_same_overload_and_the_seed_moves_it(run: Run) -> None:
    plan = protocol_of(drills=[OVERLOAD])
    result = run(protocol=plan)
    by_arm: dict[str, list[float]] = {}
    for trace in sorted(result.drill_traces, key=lambda trace: trace.index)[: 2 * 6]:
        by_arm.setdefault(trace.arm, []).append(trace.scheduled_s)
    base, ngram = ([at_s - times[0] for at_s in times] for times in by_arm.values())
    assert base == near(ngram)
    assert drill_arrivals_s(plan, plan.drills[0]) != drill_arrivals_s(protocol_of(drills=[OVERLOAD], seed=8), plan.drills[0])


def test_drills_come_after_cells_and_suites_and_a_killed_engine_comes_last(run: Run) -> None:
    backend = FakeBackend(steady)
    result = run(backend, drills=[KILL, DISCONNECT], repeats=2, suites=["suite"], suite_items=[suite_item()])
    first, second, *others = backend.engines
    asked = list(dict.fromkeys(request.id.split("-")[1] if request.id.startswith("base") else "suite" for request in first.received))
    assert asked == ["c2", "suite", "leave", "kill"]
    assert [request.id for request in second.received] == ["base-kill-drill-3"]
    assert [engine.arm.id for engine in others] == ["ngram", "ngram", "ngram", "base"]
    assert all("-drill-" not in request.id for engine in others[2:] for request in engine.received)
    assert not any(engine.alive for engine in backend.engines)
    assert result.status == "complete"


def test_drills_leave_cells_untouched_and_have_a_file_of_their_own(run: Run, tmp_path: Path) -> None:
    plain = run(FakeBackend(steady), folder="plain")
    result = run(FakeBackend(steady), folder="drilled", drills=[DISCONNECT, OVERLOAD])
    assert [(t.arm, t.load, t.index, t.outcome) for t in result.traces] == [(t.arm, t.load, t.index, t.outcome) for t in plain.traces]
    assert [trace for trace in result.traces if trace.arm == "base"] == [trace for trace in plain.traces if trace.arm == "base"]
    assert result.interrupted == ()
    assert {trace.phase for trace in result.drill_traces} == {"drill"}
    assert [item.path for item in result.evidence] == ["traces.parquet", DRILLS, "events.jsonl"]
    assert [item.path for item in plain.evidence] == ["traces.parquet", "events.jsonl"]
    assert read_traces(tmp_path / "drilled" / DRILLS) == list(result.drill_traces)
    assert (plain.drills, plain.drill_traces) == ((), ())


def test_only_the_arms_named_are_drilled_and_only_a_drill_that_needs_one_starts_an_engine(run: Run) -> None:
    backend = FakeBackend(steady)
    result = run(backend, drills=[DISCONNECT | {"arms": ["ngram"]}])
    assert [(one.drill, one.arm) for one in result.drills] == [("leave", "ngram")]
    assert {trace.arm for trace in result.drill_traces} == {"ngram"}
    assert [engine.arm.id for engine in backend.engines] == ["base", "ngram"]
    assert result.status == "complete"


def test_a_run_killed_anywhere_in_its_drills_runs_the_cut_one_again_and_the_finished_ones_stand(run: Run, tmp_path: Path) -> None:
    whole = run(FakeBackend(steady), drills=[DISCONNECT, OVERLOAD, KILL | {"arms": ["base"]}])
    lines = (tmp_path / "run" / NAME).read_bytes().splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if b'"kind":"drill-start"' in line)
    assert len(lines) - first > 30
    for cut in range(first, len(lines)):
        folder = tmp_path / f"cut-{cut}"
        folder.mkdir()
        (folder / NAME).write_bytes(b"".join(lines[:cut]) + lines[cut][: len(lines[cut]) // 2])
        before = read_result(folder)
        assert (before.status == "complete") == (cut == len(lines) - 1)
        backend = FakeBackend(steady)
        again = resume(resume_request(folder, backend=backend, clock=VirtualClock()))
        assert again.status == "complete"
        assert [(one.drill, one.arm) for one in again.drills] == [(one.drill, one.arm) for one in whole.drills]
        assert rows_of(again) == rows_of(whole)
        for one in before.drills:
            assert result_of(again, one.drill, one.arm) == one
        for one in again.drills:
            assert values(one) == near(values(result_of(whole, one.drill, one.arm)))
        assert [trace for trace in again.traces if trace.arm == "base"] == [trace for trace in whole.traces if trace.arm == "base"]
        assert all(trace.phase != "drill" for trace in (*again.traces, *again.interrupted))
        assert not any(engine.alive for engine in backend.engines)


@pytest.mark.parametrize("outputs", ["none", "full"])
def test_nothing_that_the_policy_keeps_back_reaches_the_disk(run: Run, tmp_path: Path, outputs: str) -> None:
    policy = Telemetry(prompts="none", outputs=outputs, allowed_by="the ledger")  # type: ignore[arg-type]  # parametrized
    script = Script(steps=steady(GenerationRequest("", (), 1, 0.0, False, None)).steps, text="SECRET")
    result = run(FakeBackend(lambda _: script), telemetry=policy, drills=[DISCONNECT, OVERLOAD, KILL])
    drill_lines = [line for line in (tmp_path / "run" / NAME).read_bytes().splitlines() if b'"phase":"drill"' in line]
    assert len(drill_lines) == len(result.drill_traces) == 2 * (6 + 8 + 4)
    assert any(b"SECRET" in line for line in drill_lines) == (outputs == "full")
    kept = {(trace.output_text is None, trace.output_token_ids is None, trace.output_sha256 is None) for trace in result.drill_traces}
    assert ((True, True, True) in kept) == (outputs == "none")
    assert all(trace.output_text is None for trace in read_traces(tmp_path / "run" / DRILLS)) == (outputs == "none")


def never_again(backend: FakeBackend) -> None:
    """Let every engine but the first of the baseline fail to start."""

    def prepare(engine: FakeEngine) -> None:
        async def start() -> None:
            raise EnvironmentFaultError("vLLM did not start: no memory")

        if engine.arm.id == "base" and any(earlier.arm.id == "base" for earlier in backend.engines):
            engine.start = start  # type: ignore[method-assign]  # the one part that fails

    backend.prepare = prepare


def test_an_engine_that_does_not_come_back_is_a_result_and_the_run_goes_on(run: Run) -> None:
    backend = FakeBackend(steady)
    never_again(backend)
    result = run(backend, drills=[KILL, KILL | {"id": "again"}])
    because = "the engine did not come back: vLLM did not start: no memory"
    first, second = result_of(result, "kill"), result_of(result, "again")
    assert (first.metrics["lost.count"].value, first.metrics["notice.seconds"].value) == (3, near(0.02))
    assert {first.metrics[name].reason for name in ("restart.seconds", "probe.ttft", "recovery.seconds")} == {because}
    assert {measure.reason for name, measure in second.metrics.items() if name != "notice.seconds"} == {because}
    assert all(measure.value is None for measure in second.metrics.values())
    assert [t.error for t in result.drill_traces if (t.arm, t.load) == ("base", "again")] == [because]
    assert result_of(result, "again", "ngram").metrics["recovery.seconds"].value is not None
    assert result.status == "complete"


def test_an_engine_that_dies_of_a_drill_is_a_result_and_the_next_drill_gets_a_new_one(run: Run) -> None:
    def deadly(request: GenerationRequest) -> Script:
        dies = request.id == "base-leave-drill-2"
        return Script(steps=(Step(0.1, 1), Step(0.01, 1)), fails="EngineDeadError: gone", kills=True) if dies else steady(request)

    backend = FakeBackend(deadly)
    result = run(backend, drills=[DISCONNECT, OVERLOAD | {"arms": ["ngram"]}, OVERLOAD | {"id": "later"}])
    broken = result_of(result, "leave").metrics
    assert (broken["left.count"].value, broken["lost.count"].value) == (0, 5)
    assert broken["recovery.seconds"].reason == "not sent: the engine had died"
    assert broken["release.seconds"].reason == "undefined (0 clients left)"
    assert result_of(result, "later").metrics["lost.count"].value == 0
    assert [engine.arm.id for engine in backend.engines] == ["base", "base", "ngram"]
    assert result.status == "complete"


def test_an_engine_that_dies_in_the_last_cell_is_drilled_all_the_same(run: Run) -> None:
    def deadly(request: GenerationRequest) -> Script:
        dies = request.id == "base-c2-r1-measured-5"
        return Script(fails="EngineDeadError: gone", kills=True) if dies else steady(request)

    backend = FakeBackend(deadly)
    result = run(backend, drills=[DISCONNECT])
    assert result_of(result, "leave").metrics["lost.count"].value == 0
    assert [engine.arm.id for engine in backend.engines] == ["base", "base", "ngram"]


def test_blocks_that_are_never_released_are_no_time(run: Run) -> None:
    def hoarding(engine: FakeEngine) -> None:
        engine.refuses_resets = 10**6

    found = result_of(run(FakeBackend(steady, prepare=hoarding), drills=[DISCONNECT]), "leave")
    assert found.metrics["release.seconds"].reason == "undefined (the engine did not release its blocks)"
    assert found.metrics["recovery.seconds"].value == pytest.approx(0.08 + 30.0 + 0.1, abs=0.02 + 1e-7)  # one look more or less


def test_answers_that_end_before_the_kill_are_not_lost_and_nobody_notices(run: Run) -> None:
    found = result_of(run(FakeBackend(), drills=[KILL | {"after_chunks": 7}]), "kill")
    assert found.metrics["lost.count"].value == 0
    assert found.metrics["notice.seconds"].reason == "undefined (0 requests in flight)"
    assert found.metrics["recovery.seconds"].value == near(START_S + 0.1)


def test_progress_counts_drills_and_their_engines(run: Run, tmp_path: Path) -> None:
    seen: list[Progress] = []
    run(FakeBackend(steady), progress=seen.append, drills=[DISCONNECT, OVERLOAD, KILL])
    assert (seen[-1].requests_done, seen[-1].requests_total, seen[-1].left_s) == (48, 48, 0)
    assert "base: drill flood" in {state.doing for state in seen}
    lines = (tmp_path / "run" / NAME).read_bytes().splitlines(keepends=True)
    cut = next(number for number, line in enumerate(lines) if b'"kind":"drill-end"' in line)
    (tmp_path / "run" / NAME).write_bytes(b"".join(lines[: cut + 1]))
    seen.clear()
    resume(resume_request(tmp_path / "run", backend=FakeBackend(steady), clock=VirtualClock(), progress=seen.append))
    assert (seen[-1].requests_done, seen[-1].requests_total, seen[-1].left_s) == (48, 48, 0)


def test_the_plan_counts_requests_and_starts_of_drills() -> None:
    pace = Pace(start_s=10, stop_s=0, alone_tokens_per_s=8, batched_tokens_per_s=64, tokens_a_request=8)
    bare = outline(protocol_of(), prompt_count=9, pace=pace)
    both = protocol_of(drills=[KILL | {"arms": ["ngram"]}, OVERLOAD | {"requests": 62, "rate_per_s": "0.5"}])
    size = outline(both, prompt_count=9, pace=pace)
    assert (bare.drill_requests, size.drill_requests) == (0, 4 + 2 * 64)
    assert size.requests == bare.requests
    assert size.output_tokens_at_most == bare.output_tokens_at_most + 8 * (4 + 2 * 64)
    assert size.estimate_s - bare.estimate_s == near(10 + 4 * 8 / pace.tokens_per_s(3) + 2 * 124)
    assert [[drill.id for drill in session.drills] for session in sessions(both)] == [["flood"], ["flood", "kill"]]


@pytest.mark.parametrize(
    ("drills", "said"),
    [
        ([DISCONNECT, KILL, OVERLOAD], []),
        ([OVERLOAD | {"rate_per_s": None}], ["an overload has no rate_per_s"]),
        ([KILL | {"rate_per_s": "2"}], ["a drill of kind engine-killed has a rate_per_s"]),
        ([KILL | {"arms": ["base", "eagle"]}], ["no arm eagle"]),
        ([KILL, OVERLOAD | {"id": "kill"}], ["is the id of another drill or of a load"]),
        ([KILL | {"id": "c2"}], ["is the id of another drill or of a load"]),
        ([DISCONNECT | {"requests": 1}], ["every second of 1 client is nobody"]),
        ([DISCONNECT | {"after_chunks": 8}], ["no answer of 8 tokens goes on after 8 chunks"]),
        ([OVERLOAD | {"after_chunks": 8}], []),
    ],
)
def test_a_drill_that_cannot_work_is_named(drills: list[dict[str, Any]], said: list[str]) -> None:
    problems = preflight.drill_problems(protocol_of(drills=drills))
    assert [problem.message.partition(": ")[2].rstrip(".") for problem in problems] == said
    assert all(problem.field[0] == "drills" for problem in problems)
