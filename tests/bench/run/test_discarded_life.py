"""The life that is discarded warms the machine and measures the stagger; nothing of it counts anywhere."""

from pathlib import Path

import pytest

from ledger.bench.journal.evidence_rows import DISCARDED
from ledger.bench.journal.journal import NAME, read_journal
from ledger.bench.journal.parquet import read_traces
from ledger.bench.journal.result import staggers_s
from ledger.bench.run.discarded_life import measured_staggers_s, stagger_s
from ledger.bench.run.progress import Progress
from ledger.bench.run.runner import resume
from tests.bench.conftest import Run, protocol_of, resume_request, trace_of
from tests.bench.fake_engine import FakeBackend, FakeEngine, Script, Step
from tests.bench.virtual_time import VirtualClock

C4 = {"id": "c4", "concurrency": 4, "requests": 12, "start": "staggered"}
WARM = {"loads": [C4], "no_discarded_life": None}
SCRIPT = Script(steps=(Step(0.4, 1), Step(0.4, 1)))
"""A whole request in 0.8 s."""


def near(value: object) -> object:
    """The value to a tenth of a microsecond."""
    return pytest.approx(value, abs=1e-7)


def test_the_stagger_is_the_median_time_of_a_whole_request() -> None:
    plan = protocol_of(loads=[C4, C4 | {"id": "fixed", "stagger_s": "2"}, {"id": "together", "concurrency": 4, "requests": 4}])
    ends = (1.0, 3.0, 2.0)
    traces = [trace_of(load=load.id, chunks_s=(0.5, end)) for load in plan.loads for end in ends]
    traces += [trace_of(load="c4", chunks_s=(0.5, 9.0), phase="warm-up"), trace_of(load="c4", outcome="failed", chunks_s=(0.1, 9.0))]
    measured = measured_staggers_s(plan, traces)
    assert measured == {"c4": 2.0}
    assert [stagger_s(load, measured) for load in plan.loads] == [2.0, 2.0, 0.0]
    assert stagger_s(plan.loads[0], {}) == 0.0


def test_slots_start_one_after_another_over_the_stagger_on_every_arm(run: Run) -> None:
    """0.8 s over four slots: they start at 0, 0.2, 0.4 and 0.6 s and come round every 0.8 s, so no two begin together."""
    backend = FakeBackend(lambda _: SCRIPT)
    result = run(backend, **WARM)
    assert [engine.arm.id for engine in backend.engines] == ["base", "base", "ngram"]
    for arm in ("base", "ngram"):
        starts = sorted(trace.scheduled_s for trace in result.traces if trace.arm == arm)
        assert [at - starts[0] for at in starts] == near([0.2 * number for number in range(12)])
        assert all(trace.sent_s == near(trace.scheduled_s) for trace in result.traces)
    assert result.deviations == ()


def test_a_load_may_still_start_together(run: Run) -> None:
    result = run(FakeBackend(lambda _: SCRIPT), **WARM | {"loads": [C4 | {"start": "together"}]})
    starts = sorted(trace.scheduled_s for trace in result.traces if trace.arm == "base")
    assert [at - starts[0] for at in starts] == near([0] * 4 + [0.8] * 4 + [1.6] * 4)


def test_nothing_of_the_life_counts(run: Run, tmp_path: Path) -> None:
    seen: list[Progress] = []
    result = run(FakeBackend(lambda _: SCRIPT), progress=seen.append, **WARM)
    assert {trace.repeat for trace in result.traces} == {1}
    assert [(trace.arm, trace.repeat) for trace in result.discarded] == [("base", 0)] * 8  # two for each slot
    assert read_traces(tmp_path / "run" / DISCARDED) == list(result.discarded)
    assert [(session.arm, session.repeat) for session in result.sessions] == [("base", 1), ("ngram", 1)]
    assert {condition.repeat for condition in result.conditions} <= {1}
    assert (seen[-1].requests_done, seen[-1].requests_total, seen[-1].left_s) == (24, 24, 0)
    assert result.status == "complete"


def test_a_resumed_run_warms_the_machine_again_and_keeps_its_stagger(run: Run, tmp_path: Path) -> None:
    whole = run(FakeBackend(lambda _: SCRIPT), **WARM)
    path = tmp_path / "run" / NAME
    lines = path.read_bytes().splitlines(keepends=True)
    cut = next(number for number, line in enumerate(lines) if b'"kind":"cell-start","arm":"ngram"' in line)
    path.write_bytes(b"".join(lines[:cut]))
    backend = FakeBackend(lambda _: Script(steps=(Step(1.0, 1), Step(1.0, 1))))  # slower than before
    again = resume(resume_request(tmp_path / "run", backend=backend, clock=VirtualClock()))
    assert [engine.arm.id for engine in backend.engines] == ["base", "ngram"]
    assert (again.status, len(again.discarded)) == ("complete", 2 * len(whole.discarded))
    assert staggers_s(read_journal(path)) == {"c4": near(0.8)}
    starts = sorted(trace.scheduled_s for trace in again.traces if trace.arm == "ngram")
    assert [at - starts[0] for at in starts[:4]] == near([0, 0.2, 0.4, 0.6])


def test_a_stagger_that_nothing_measured_is_a_deviation(run: Run) -> None:
    """The first life answers nothing; the others do."""
    lives: list[FakeEngine] = []

    def first_fails(engine: FakeEngine) -> None:
        lives.append(engine)
        is_first = len(lives) == 1
        engine.script_of = lambda _: Script(fails="EngineDeadError: gone", kills=True) if is_first else SCRIPT

    result = run(FakeBackend(prepare=first_fails), **WARM)
    assert result.status == "complete"
    assert "c4: its slots start together, as nothing measured by how much to stagger them" in result.deviations
    starts = sorted(trace.scheduled_s for trace in result.traces if trace.arm == "base")
    assert [at - starts[0] for at in starts[:4]] == near([0] * 4)
