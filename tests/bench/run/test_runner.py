"""The runner on an engine with known token times: every instant exact, every end recorded."""

import itertools
from collections import Counter
from pathlib import Path

import pytest

from ledger.analysis.measures.request_metrics import chunk_gaps_s, client_lag_s, e2e_s, itl_s, tpot_s, ttft_s
from ledger.bench.journal.journal import NAME, read_journal
from ledger.bench.journal.parquet import read_answers, read_traces
from ledger.bench.journal.result import ANSWERS, INTERRUPTED, TRACES
from ledger.bench.run.progress import Progress
from ledger.bench.run.runner import resume
from ledger.errors import DataRefused, EnvironmentFault, Problem
from ledger.model.records.protocol import Telemetry
from tests.bench.conftest import Run, protocol_of, resume_request, suite_item
from tests.bench.fake_engine import FakeBackend, FakeEngine, Script, Step
from tests.bench.virtual_time import VirtualClock

MICROSECOND = 1e-6


def near(value: float) -> object:
    """The value to a tenth of a microsecond."""
    return pytest.approx(value, abs=MICROSECOND / 10)


def test_known_token_times_give_every_metric_to_the_microsecond(run: Run) -> None:
    script = Script(steps=(Step(0.250, 1), Step(0.040, 4), Step(0.020, 1), Step(0.030, 2)), drafted=(4, 4), accepted=(3, 1))
    result = run(FakeBackend(lambda _: script), loads=[{"id": "c1", "concurrency": 1, "requests": 3}])
    for trace in result.traces:
        assert ttft_s(trace) == near(0.250)
        assert tpot_s(trace) == near(0.090 / 7)
        assert itl_s(trace) == near((0.010, 0.010, 0.010, 0.010, 0.020, 0.015, 0.015))
        assert chunk_gaps_s(trace) == near((0.040, 0.020, 0.030))
        assert e2e_s(trace) == near(0.340)
        assert client_lag_s(trace) == near(0)
        assert (trace.steps_drafted, trace.steps_accepted) == ((4, 0, 4), (3, 0, 1))
        assert (trace.output_tokens, trace.output_text, trace.output_token_ids) == (8, "w" * 8, tuple(range(8)))
    first, second, third = (trace for trace in result.traces if trace.arm == "base")
    assert [trace.scheduled_s - first.scheduled_s for trace in (first, second, third)] == near([0, 0.340, 0.680])


def test_a_closed_loop_never_exceeds_its_concurrency_and_keeps_it(run: Run) -> None:
    def uneven(request: object) -> Script:
        return Script(steps=(Step(0.01 * (1 + int(str(request.id).rpartition("-")[2]) % 5), 1),))  # type: ignore[attr-defined]  # a GenerationRequest

    backend = FakeBackend(uneven)
    result = run(backend, loads=[{"id": "c3", "concurrency": 3, "requests": 50}])
    assert {engine.most_in_flight for engine in backend.engines} == {3}
    base = [trace for trace in result.traces if trace.arm == "base"]
    ends = sorted(trace.chunks_s[-1] for trace in base)
    starts = sorted(trace.scheduled_s for trace in base)
    assert starts[3:] == near(ends[: len(starts) - 3])  # each request is scheduled the moment a slot falls free


def test_an_open_loop_counts_from_the_arrival_whatever_is_in_flight(run: Run) -> None:
    backend = FakeBackend(lambda _: Script(steps=(Step(10.0, 1),)))
    load = {"id": "r4", "kind": "open", "rate_per_s": "4", "arrivals": "constant", "requests": 8}
    result = run(backend, loads=[load])
    base = [trace for trace in result.traces if trace.arm == "base"]
    gaps = [later.scheduled_s - earlier.scheduled_s for earlier, later in itertools.pairwise(base)]
    assert gaps == near([0.25] * 7)
    assert backend.engines[0].most_in_flight == 8
    assert [client_lag_s(trace) for trace in base] == near([0] * 8)


def test_arms_meet_the_same_prompts_in_the_same_order_at_the_same_arrivals(run: Run) -> None:
    load = {"id": "r9", "kind": "open", "rate_per_s": "9", "arrivals": "poisson", "requests": 10}
    result = run(loads=[load], repeats=2)
    cells = {}
    for trace in result.traces:
        cells.setdefault((trace.arm, trace.repeat), []).append(trace)
    schedules = {}
    for (arm, repeat), traces in cells.items():
        traces.sort(key=lambda trace: trace.index)
        assert [trace.prompt_id for trace in traces] == ["p0", "p1", "p2", "p3"] * 2 + ["p0", "p1"]
        schedules[arm, repeat] = [trace.scheduled_s - traces[0].scheduled_s for trace in traces]
    assert schedules["base", 1] == near(schedules["ngram", 1])
    assert schedules["base", 1] != near(schedules["base", 2])


def test_order_alternates_and_reverses_with_one_engine_for_all_loads(run: Run) -> None:
    loads = [{"id": "c1", "concurrency": 1, "requests": 2}, {"id": "c2", "concurrency": 2, "requests": 2}]
    backend = FakeBackend()
    result = run(backend, loads=loads, repeats=3)
    order = list(dict.fromkeys((trace.repeat, trace.arm, trace.load) for trace in result.traces))
    arms = {1: ("base", "ngram"), 2: ("ngram", "base"), 3: ("base", "ngram")}
    assert order == [(repeat, arm, load) for repeat in arms for arm in arms[repeat] for load in ("c1", "c2")]
    assert [engine.arm.id for engine in backend.engines] == ["base", "ngram", "ngram", "base", "base", "ngram"]
    assert all(not engine.alive and engine.resets == 2 for engine in backend.engines)


def test_warm_up_is_recorded_apart_and_takes_other_prompts_first(run: Run) -> None:
    result = run(warm_up_requests=2, prompts=9)
    phases = Counter((trace.arm, trace.phase) for trace in result.traces)
    assert phases == {("base", "warm-up"): 2, ("base", "measured"): 6, ("ngram", "warm-up"): 2, ("ngram", "measured"): 6}
    assert {trace.prompt_id for trace in result.traces if trace.phase == "warm-up"} == {"p8", "p7"}


@pytest.mark.parametrize(
    ("script", "outcome", "error"),
    [
        (Script(), "completed", None),
        (Script(steps=(Step(0.1, 0),)), "empty", None),
        (Script(finish_reason="abort"), "aborted", None),
        (Script(fails="EngineGenerateError: no"), "failed", "EngineGenerateError: no"),
        (Script(finish_reason=None), "failed", "the stream ended without a finish reason"),
        (Script(steps=(Step(10_000, 1),)), "aborted", "no end after 900 s"),
    ],
)
def test_every_end_is_a_row_with_its_reason(run: Run, script: Script, outcome: str, error: str | None) -> None:
    result = run(FakeBackend(lambda _: script))
    assert len(result.traces) == 12
    assert {(trace.outcome, trace.error) for trace in result.traces} == {(outcome, error)}
    assert result.status == "complete"


def test_a_dead_engine_fails_the_rest_of_its_cell_and_the_next_cell_gets_a_new_one(run: Run) -> None:
    def deadly(request: object) -> Script:
        return Script(fails="EngineDeadError: gone", kills=True) if str(request.id) == "base-c2-r1-measured-2" else Script()  # type: ignore[attr-defined]  # a GenerationRequest

    loads = [{"id": "c2", "concurrency": 2, "requests": 6}, {"id": "c1", "concurrency": 1, "requests": 2}]
    backend = FakeBackend(deadly)
    result = run(backend, loads=loads)
    hit = sorted((t for t in result.traces if (t.arm, t.load) == ("base", "c2")), key=lambda trace: trace.index)
    assert [trace.outcome for trace in hit] == ["completed"] * 2 + ["failed"] * 4
    assert hit[-1].error == "not sent: the engine had died"
    assert {t.outcome for t in result.traces if (t.arm, t.load) != ("base", "c2")} == {"completed"}
    assert [engine.arm.id for engine in backend.engines] == ["base", "base", "ngram"]
    assert any("the engine died" in deviation for deviation in result.deviations)


def test_a_prefix_cache_that_cannot_be_reset_is_a_deviation(run: Run) -> None:
    def stubborn(engine: FakeEngine) -> None:
        engine.refuses_resets = 3 if engine.arm.id == "ngram" else 10_000

    result = run(FakeBackend(prepare=stubborn))
    assert result.deviations == ("base at c2, repeat 1: the prefix cache could not be reset",)


def test_an_undeclared_difference_between_arms_is_a_deviation(run: Run) -> None:
    def different(engine: FakeEngine) -> None:
        engine.configuration = {
            "scheduler_config.async_scheduling": engine.arm.id == "base",
            "speculative_config.method": engine.arm.method,
            "cache_config.kv_cache_size_tokens": len(engine.arm.id),
        }

    result = run(FakeBackend(prepare=different))
    assert result.deviations == (
        "ngram: cache_config.kv_cache_size_tokens is 5, on base 4",
        "ngram: scheduler_config.async_scheduling is False, on base True",
    )
    assert result.configurations["ngram"]["speculative_config.method"] == "ngram"


def test_suites_are_put_to_every_arm_once_and_graded(run: Run, tmp_path: Path) -> None:
    items = [
        suite_item("right"),
        suite_item("wrong", check={"type": "contains", "any": ["zebra"]}),
        suite_item("json", check={"type": "json-schema", "schema": {}}),
    ]
    backend = FakeBackend()
    result = run(backend, suites=["suite"], suite_items=items, repeats=2)
    assert [(answer.arm, answer.item, answer.grade) for answer in result.answers] == [
        (arm, item, grade) for arm in ("base", "ngram") for item, grade in (("json", "malformed"), ("right", "passed"), ("wrong", "wrong"))
    ]
    assert [(suite.arm, suite.passed, suite.failed, suite.malformed) for suite in result.suites] == [("base", 1, 2, 1), ("ngram", 1, 2, 1)]
    asked = [request for request in backend.engines[0].received if request.id.startswith("suite-")]
    assert {(request.temperature, request.ignore_eos) for request in asked} == {(0.0, False)}
    assert read_answers(tmp_path / "run" / ANSWERS) == list(result.answers)


def test_evidence_reads_back_and_is_the_same_bytes_for_the_same_run(run: Run, tmp_path: Path) -> None:
    first, second = run(folder="a"), run(folder="b")
    assert [item.path for item in first.evidence] == [TRACES]
    assert first.evidence == second.evidence
    assert read_traces(tmp_path / "a" / TRACES) == list(first.traces)


def test_memory_environment_and_time_are_recorded(run: Run) -> None:
    result = run(planned=True)
    assert result.planned
    assert result.environment["hardware"] == "a fake"
    session = result.sessions[0]
    assert (session.start_up_s, session.memory.kv_cache_tokens if session.memory else None) == (near(5.0), 64)
    assert result.duration_s == near((result.finished_at - result.started_at).total_seconds())
    assert result.duration_s == near(2 * (5.0 + 3 * 0.120))


@pytest.mark.parametrize("outputs", ["full", "hash", "none"])
def test_nothing_that_the_policy_keeps_back_reaches_the_disk(run: Run, tmp_path: Path, outputs: str) -> None:
    policy = Telemetry(prompts="none", outputs=outputs, allowed_by="the ledger")  # type: ignore[arg-type]  # parametrized
    script = Script(text="SECRET")
    items = [suite_item(check={"type": "exact", "expected": "SECRETSECRETSECRET"})]
    result = run(FakeBackend(lambda _: script), telemetry=policy, suites=["suite"], suite_items=items)
    written = (tmp_path / "run" / NAME).read_bytes()
    assert (b"SECRET" in written.replace(b'"outputs":"full"', b"")) == (outputs == "full")
    assert b'"messages"' not in written
    trace, answer = result.traces[0], result.answers[0]
    assert (trace.output_text is None, trace.output_token_ids is None) == ((outputs != "full"),) * 2
    assert (trace.output_sha256 is None) == (outputs == "none") == (answer.output_sha256 is None)
    assert answer.grade == "passed"
    assert trace.output_tokens == 3


def test_progress_ends_at_its_totals_and_estimates(run: Run) -> None:
    seen: list[Progress] = []
    items = [suite_item(str(number)) for number in range(3)]
    run(progress=seen.append, repeats=2, warm_up_requests=1, suites=["suite"], suite_items=items)
    last = seen[-1]
    assert (last.requests_done, last.requests_total, last.cells_done, last.cells_total) == (34, 34, 4, 4)
    assert last.left_s == 0
    assert seen[0].left_s > 100
    assert all(earlier.requests_done <= later.requests_done for earlier, later in itertools.pairwise(seen))


def test_what_stops_a_run_before_it_starts_writes_nothing(run: Run, tmp_path: Path) -> None:
    with pytest.raises(DataRefused, match="vocabularies differ"):
        run(FakeBackend(problems=[Problem("vocabulary", "vocabularies differ.", "Mend it.")]))
    with pytest.raises(EnvironmentFault, match="no GPU seen"):
        run(FakeBackend(missing="no GPU seen, 1 expected"))
    assert not (tmp_path / "run").exists()


def test_a_folder_with_a_run_is_refused(run: Run) -> None:
    run()
    with pytest.raises(DataRefused, match="a run has been started here"):
        run()


def test_a_failed_start_leaves_a_run_that_can_be_resumed(run: Run, tmp_path: Path) -> None:
    def broken(engine: FakeEngine) -> None:
        async def start() -> None:
            raise EnvironmentFault("vLLM did not start: no")

        if engine.arm.id == "ngram":
            engine.start = start  # type: ignore[method-assign]  # the one part that fails

    with pytest.raises(EnvironmentFault, match="did not start"):
        run(FakeBackend(prepare=broken))
    backend = FakeBackend()
    clock = VirtualClock(5.0)  # another start of the machine
    resumed = resume(resume_request(tmp_path / "run", backend=backend, clock=clock))
    assert (resumed.status, resumed.resumed) == ("complete", 1)
    assert [engine.arm.id for engine in backend.engines] == ["ngram"]
    assert Counter(trace.arm for trace in resumed.traces) == {"base": 6, "ngram": 6}
    assert "the run was interrupted and resumed" in resumed.deviations
    starts = [trace.scheduled_s for trace in resumed.traces]
    assert starts == sorted(starts)
    assert not (tmp_path / "run" / INTERRUPTED).exists()


def test_resuming_with_other_prompts_is_refused(run: Run, tmp_path: Path) -> None:
    protocol = protocol_of()
    run(protocol=protocol)
    journal = tmp_path / "run" / NAME
    kept = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(kept[:-3]))
    with pytest.raises(DataRefused, match="prompts are not those"):
        resume(resume_request(tmp_path / "run", prompts=3))


def test_a_complete_run_is_left_alone(run: Run, tmp_path: Path) -> None:
    result = run()
    before = (tmp_path / "run" / NAME).read_bytes()
    again = resume(resume_request(tmp_path / "run"))
    assert again == result
    assert (tmp_path / "run" / NAME).read_bytes() == before
    assert read_journal(tmp_path / "run" / NAME)[-1]["kind"] == "run-end"
