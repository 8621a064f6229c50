"""Drills in a journal: whole attempts stand, cut ones count for nothing."""

from pathlib import Path

from ledger.bench.engine.interface import GenerationRequest
from ledger.bench.journal.drill_lines import finished_drills, planned_drills
from ledger.bench.journal.evidence_rows import INTERRUPTED
from ledger.bench.journal.journal import NAME, Line
from ledger.bench.journal.result import read_result
from ledger.bench.run.runner import resume
from tests.bench.conftest import Run, protocol_of, resume_request
from tests.bench.fake_engine import FakeBackend, Script, Step
from tests.bench.virtual_time import VirtualClock

DISCONNECT = {"id": "leave", "kind": "disconnect", "requests": 5, "after_chunks": 2}


def steady(_: GenerationRequest) -> Script:
    """Six chunks: the first after 0.1 s, the others 0.02 s apart."""
    return Script(steps=(Step(0.1, 1), *(Step(0.02, 1),) * 5))


def test_a_cut_drill_leaves_no_interrupted_requests(run: Run, tmp_path: Path) -> None:
    run(FakeBackend(steady), drills=[DISCONNECT | {"arms": ["ngram"]}])
    path = tmp_path / "run" / NAME
    kept = [line for line in path.read_bytes().splitlines(keepends=True) if b"drill-end" not in line and b"run-end" not in line]
    path.write_bytes(b"".join(kept))
    partial = read_result(tmp_path / "run")
    assert (partial.status, partial.interrupted, partial.drill_traces, partial.drills) == ("partial", (), (), ())
    resume(resume_request(tmp_path / "run", backend=FakeBackend(steady), clock=VirtualClock()))
    assert not (tmp_path / "run" / INTERRUPTED).exists()
    assert read_result(tmp_path / "run").status == "complete"


def line(kind: str, **fields: object) -> Line:
    """A line of a drill on the baseline."""
    return {"kind": kind, "drill": "leave", "arm": "base", **fields}


def test_only_drills_that_ran_to_their_end_are_finished() -> None:
    lines = [
        line("drill-start"),
        line("drill-start"),
        line("drill-end", instants_s={"fault": 1.5}),
        line("drill-start", drill="flood"),
    ]
    assert finished_drills(lines) == {("leave", "base"): {"fault": 1.5}}


def test_a_drill_for_no_arm_in_particular_is_planned_on_all() -> None:
    drills = [DISCONNECT, DISCONNECT | {"id": "later", "arms": ["ngram"]}]
    assert planned_drills(protocol_of(drills=drills)) == {("leave", "base"), ("leave", "ngram"), ("later", "ngram")}
