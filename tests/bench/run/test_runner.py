"""The runner on an engine with known token times: every instant exact, every end recorded."""

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ledger.analysis.measures.request_metrics import chunk_gaps_s, client_lag_s, e2e_s, itl_s, tpot_s, ttft_s
from ledger.bench.engine.interface import Scalars
from ledger.bench.journal.events import EVENTS
from ledger.bench.journal.evidence_rows import INTERRUPTED, TRACES
from ledger.bench.journal.journal import NAME, read_journal
from ledger.bench.journal.parquet import read_traces
from ledger.bench.run.runner import resume
from ledger.errors import DataRefusedError, EnvironmentFaultError, Problem
from ledger.model.records.protocol import Telemetry
from tests.bench.conftest import Run, protocol_of, resume_request, suite_item
from tests.bench.fake_engine import FakeBackend, FakeEngine, Script, Step
from tests.bench.virtual_time import VirtualClock

MICROSECOND = 1e-6


def near(value: Any) -> Any:
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
    cells: dict[Any, Any] = {}
    for trace in result.traces:
        cells.setdefault((trace.arm, trace.repeat), []).append(trace)
    schedules = {}
    for (arm, repeat), traces in cells.items():
        traces.sort(key=lambda trace: trace.index)
        assert [trace.prompt_id for trace in traces] == ["p0", "p1", "p2", "p3"] * 2 + ["p0", "p1"]
        schedules[arm, repeat] = [trace.scheduled_s - traces[0].scheduled_s for trace in traces]
    assert schedules["base", 1] == near(schedules["ngram", 1])
    assert schedules["base", 1] != near(schedules["base", 2])


def test_warm_up_is_recorded_apart_and_takes_other_prompts_first(run: Run) -> None:
    result = run(warm_up_requests=2, prompts=9)
    phases = Counter((trace.arm, trace.phase) for trace in result.traces)
    assert phases == {("base", "warm-up"): 2, ("base", "measured"): 6, ("ngram", "warm-up"): 2, ("ngram", "measured"): 6}
    assert {trace.prompt_id for trace in result.traces if trace.phase == "warm-up"} == {"p8", "p7"}


def test_evidence_reads_back_and_is_the_same_bytes_for_the_same_run(run: Run, tmp_path: Path) -> None:
    first, second = run(folder="a"), run(folder="b")
    assert [item.path for item in first.evidence] == [TRACES, EVENTS]
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


def test_what_stops_a_run_before_it_starts_writes_nothing(run: Run, tmp_path: Path) -> None:
    with pytest.raises(DataRefusedError, match="vocabularies differ"):
        run(FakeBackend(problems=[Problem("vocabulary", "vocabularies differ.", "Mend it.")]))
    with pytest.raises(EnvironmentFaultError, match="no GPU seen"):
        run(FakeBackend(missing="no GPU seen, 1 expected"))
    assert not (tmp_path / "run").exists()


def test_a_folder_with_a_run_is_refused(run: Run) -> None:
    run()
    with pytest.raises(DataRefusedError, match="a run has been started here"):
        run()


def test_a_failed_start_leaves_a_run_that_can_be_resumed(run: Run, tmp_path: Path) -> None:
    def broken(engine: FakeEngine) -> None:
        async def start() -> None:
            raise EnvironmentFaultError("vLLM did not start: no")

        if engine.arm.id == "ngram":
            engine.start = start  # type: ignore[method-assign]  # the one part that fails

    with pytest.raises(EnvironmentFaultError, match="did not start"):
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


def test_resuming_on_another_model_is_refused(run: Run, tmp_path: Path) -> None:
    class Machine(FakeBackend):
        """One that says which model it serves."""

        def __init__(self, weights: str) -> None:
            super().__init__(prepare=stop_at_ngram if weights == "a" else lambda _: None)
            self.weights = weights

        def environment(self) -> Scalars:
            return {**super().environment(), "model_weights_sha256": self.weights * 64}

    def stop_at_ngram(engine: FakeEngine) -> None:
        async def start() -> None:
            raise EnvironmentFaultError("no")

        if engine.arm.id == "ngram":
            engine.start = start  # type: ignore[method-assign]  # the one part that fails

    with pytest.raises(EnvironmentFaultError):
        run(Machine("a"))
    with pytest.raises(DataRefusedError, match=r"^Model weights, sha256: got b{64}, the run began with a{64}\."):
        resume(resume_request(tmp_path / "run", backend=Machine("b"), clock=VirtualClock(5.0)))


def test_resuming_with_other_prompts_is_refused(run: Run, tmp_path: Path) -> None:
    protocol = protocol_of()
    run(protocol=protocol)
    journal = tmp_path / "run" / NAME
    kept = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(kept[:-3]))
    with pytest.raises(DataRefusedError, match="prompts are not those"):
        resume(resume_request(tmp_path / "run", prompts=3))


def test_a_complete_run_is_left_alone(run: Run, tmp_path: Path) -> None:
    result = run()
    before = (tmp_path / "run" / NAME).read_bytes()
    again = resume(resume_request(tmp_path / "run"))
    assert again == result
    assert (tmp_path / "run" / NAME).read_bytes() == before
    assert read_journal(tmp_path / "run" / NAME)[-1]["kind"] == "run-end"
