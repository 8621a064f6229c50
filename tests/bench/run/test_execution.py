"""A run at work: the order of sessions, and what becomes of the rest when an engine dies."""

from tests.bench.conftest import Run
from tests.bench.fake_engine import FakeBackend, FakeEngine, Script


def test_order_alternates_and_reverses_with_one_engine_for_all_loads(run: Run) -> None:
    loads = [{"id": "c1", "concurrency": 1, "requests": 2}, {"id": "c2", "concurrency": 2, "requests": 2}]
    backend = FakeBackend()
    result = run(backend, loads=loads, repeats=3)
    order = list(dict.fromkeys((trace.repeat, trace.arm, trace.load) for trace in result.traces))
    arms = {1: ("base", "ngram"), 2: ("ngram", "base"), 3: ("base", "ngram")}
    assert order == [(repeat, arm, load) for repeat in arms for arm in arms[repeat] for load in ("c1", "c2")]
    assert [engine.arm.id for engine in backend.engines] == ["base", "ngram", "ngram", "base", "base", "ngram"]
    assert all(not engine.alive and engine.resets == 2 for engine in backend.engines)


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
