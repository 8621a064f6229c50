"""What the device did, from a run on the fake engine to its record and the terminal."""

import sys
from pathlib import Path

import pytest

from ledger.api.runs.run_record import run_json, run_of
from ledger.bench.engine.interface import Memory
from ledger.bench.journal.result import RunResult
from ledger.bench.run.run_request import RunRequest
from ledger.bench.run.runner import run_protocol
from ledger.model.records.run import Executor, Run
from tests.bench.conftest import prompts_of, protocol_of
from tests.bench.fake_engine import FakeBackend, FakeEngine
from tests.bench.fake_nvml import FakeGpu, FakeNvml
from tests.bench.virtual_time import VirtualClock
from tests.render.report_fixtures import reported, tables


@pytest.fixture
def result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunResult:
    """A run beside two GPUs, one of which is held back by its power limit."""
    monkeypatch.setitem(sys.modules, "pynvml", FakeNvml(FakeGpu(reasons=0x04), FakeGpu(temperature=70)))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)

    def with_device(engine: FakeEngine) -> None:
        engine.memory = lambda: Memory(device_bytes=2**30, device_how="NVML, by process")  # type: ignore[method-assign]  # this fake's figures

    request = RunRequest(
        protocol=protocol_of(),
        prompts=prompts_of(4),
        model_path=tmp_path,
        out_dir=tmp_path / "records/evidence/r",
        clock=VirtualClock(),
        backend_factory=lambda *_: FakeBackend(prepare=with_device),
    )
    return run_protocol(request)


def recorded(result: RunResult) -> Run:
    """The record as it is read back from its file."""
    executor = Executor(relation="own", organisation="Test Works")
    text = run_json(run_of("r", result, executor=executor, author="Test Works")).decode()
    return Run.model_validate_json(text.removeprefix('{"run": [\n').removesuffix("\n]}\n"))


def test_conditions_their_warnings_and_the_source_of_device_memory_are_in_the_record(tmp_path: Path, result: RunResult) -> None:
    run = recorded(result)
    assert run.conditions == result.conditions
    one = run.conditions[0]
    tokens = run.cell(one.arm, one.load, one.repeat).metrics["output-tokens.total"].value  # type: ignore[union-attr]  # the cell ran
    joules = [one.measures[f"gpu-{place}.energy.total"].value for place in (0, 1)]
    assert one.measures["energy-per-token.mean"].value == sum(joules) / tokens  # type: ignore[arg-type,operator]  # both are numbers
    power_limit = "gpu-0: clock lowered by its power limit in up to 100 % of a cell's samples: base at c2, repeat 1; ngram at c2, repeat 1"
    assert power_limit in run.deviations
    assert run.environment["device_memory_source"] == "NVML, by process"
    assert run.memory["base"]["device"].value == 2**30


def test_a_comparison_tells_what_the_device_did(tmp_path: Path, result: RunResult) -> None:
    run = recorded(result)
    shown = tables(reported((run, result.protocol)))["Device at c2"]
    assert ("gpu-0: power, mean", "base", "540\u00a0W", "2") in shown.rows
    assert {row[0] for row in shown.rows} >= {"gpu-1: temperature, highest", "Energy per output token"}
    without = run.model_copy(update={"conditions": ()})
    assert "Device at c2" not in tables(reported((without, result.protocol)))
