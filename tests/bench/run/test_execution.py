"""A run at work: the order of sessions, and what becomes of the rest when an engine dies."""

from collections.abc import AsyncGenerator
from pathlib import Path

from ledger.bench.engine.interface import Chunk, GenerationRequest
from ledger.bench.run.runner import resume
from ledger.model.records.protocol import Arm
from ledger.model.records.run import Measure
from tests.bench.conftest import Run, resume_request, suite_item
from tests.bench.fake_engine import FakeBackend, FakeEngine, Script
from tests.bench.virtual_time import VirtualClock


def test_order_alternates_and_reverses_with_one_engine_for_all_loads(run: Run) -> None:
    loads = [{"id": "c1", "concurrency": 1, "requests": 2}, {"id": "c2", "concurrency": 2, "requests": 2}]
    backend = FakeBackend()
    result = run(backend, loads=loads, repeats=3)
    order = list(dict.fromkeys((trace.repeat, trace.arm, trace.load) for trace in result.traces))
    arms = {1: ("base", "ngram"), 2: ("ngram", "base"), 3: ("base", "ngram")}
    assert order == [(repeat, arm, load) for repeat in arms for arm in arms[repeat] for load in ("c1", "c2")]
    assert [engine.arm.id for engine in backend.engines] == ["base", "ngram", "ngram", "base", "base", "ngram"]
    assert all(not engine.alive and engine.resets == 2 for engine in backend.engines)


def dies_at(request_id: str) -> FakeBackend:
    """An engine that dies of one request."""
    deadly = Script(fails="EngineDeadError: gone", kills=True)
    return FakeBackend(lambda request: deadly if request.id == request_id else Script())


def test_a_dead_engine_leaves_its_cell_unfinished_and_the_next_cell_gets_a_new_one(run: Run) -> None:
    loads = [{"id": "c2", "concurrency": 2, "requests": 6}, {"id": "c1", "concurrency": 1, "requests": 2}]
    backend = dies_at("base-c2-r1-measured-2")
    result = run(backend, loads=loads)
    assert result.status == "partial"
    assert {(trace.arm, trace.load) for trace in result.traces} == {("base", "c1"), ("ngram", "c2"), ("ngram", "c1")}
    cut = sorted(result.interrupted, key=lambda trace: trace.index)
    assert [trace.outcome for trace in cut] == ["completed"] * 2 + ["failed"] * 4
    assert cut[-1].error == "not sent: the engine had died"
    assert [engine.arm.id for engine in backend.engines] == ["base", "base", "ngram"]
    assert result.deviations[0] == "base at c2, repeat 1: the engine died, so the cell is unfinished"


def test_a_cell_whose_engine_died_is_run_again_when_the_run_is_resumed(run: Run, tmp_path: Path) -> None:
    run(dies_at("ngram-c2-r1-measured-5"))
    backend = FakeBackend()
    resumed = resume(resume_request(tmp_path / "run", backend=backend, clock=VirtualClock(5.0)))
    assert (resumed.status, len(resumed.traces), len(resumed.interrupted)) == ("complete", 12, 6)
    assert [engine.arm.id for engine in backend.engines] == ["ngram"]


def test_an_engine_that_dies_in_the_suites_leaves_them_unfinished(run: Run) -> None:
    items = [suite_item("one"), suite_item("two")]
    result = run(dies_at("suite-suite-two"), suites=["suite"], suite_items=items)
    assert (result.status, result.answers, result.suites) == ("partial", (), ())
    assert "base: the engine died in the suites, so they are unfinished" in result.deviations
    assert len(result.traces) == 12


def test_a_prefix_cache_that_cannot_be_reset_is_a_deviation(run: Run) -> None:
    def stubborn(engine: FakeEngine) -> None:
        engine.refuses_resets = 3 if engine.arm.id == "ngram" else 10_000

    result = run(FakeBackend(prepare=stubborn))
    assert result.deviations == ("base at c2, repeat 1: the prefix cache could not be reset",)


class TellingEngine(FakeEngine):
    """Tells how large its batches were, since it was last asked to count anew."""

    counts = 0

    def count_anew(self) -> None:
        """Begin."""
        self.counts = 0

    async def generate(self, request: GenerationRequest) -> AsyncGenerator[Chunk, None]:
        """Count requests."""
        self.counts += 1
        async for chunk in super().generate(request):
            yield chunk

    def counted(self) -> dict[str, Measure]:
        """What was counted."""
        return {"engine.batch-size.max": Measure(value=self.counts, unit="count", n=1)}


class TellingBackend(FakeBackend):
    """Makes engines that tell."""

    def engine(self, arm: Arm, log: Path) -> TellingEngine:
        """Return one."""
        return TellingEngine(arm, self.script_of)


def test_a_cells_record_holds_what_the_runner_took_and_what_the_engine_told(run: Run) -> None:
    """The engine counts anew when the first measured request is sent, so that the two of the warm-up are not among them."""
    load = {"id": "c1", "concurrency": 1, "requests": 3, "stagger_s": "2", "start": "staggered"}
    result = run(TellingBackend(), loads=[load], warm_up_requests=2)
    [base, ngram] = result.conditions
    assert (base.arm, base.load, base.repeat, ngram.arm) == ("base", "c1", 1, "ngram")
    measures = {key: (one.value, one.unit, one.n) for key, one in base.measures.items() if key.startswith(("runner", "engine"))}
    assert measures == {
        "runner.own-work.total": (0.0, "s", 3),
        "runner.own-work.share": (0.0, "share", 3),
        "runner.stagger.total": (0.0, "s", 1),  # one slot has nobody to be staggered with
        "engine.batch-size.max": (3.0, "count", 1),
    }
