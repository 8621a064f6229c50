"""What the device does while a cell is measured: read, summed up, and carried to the run's record."""

import asyncio
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ledger.bench.engine.clock import RunClock
from ledger.bench.engine.interface import Engine
from ledger.bench.journal.journal import NAME, Journal, read_journal
from ledger.bench.journal.result import read_result
from ledger.bench.machine.cell_conditions import MachineSample
from ledger.bench.machine.cpu_readings import (
    CpuReading,
    CpuTimes,
)
from ledger.bench.machine.gpu_readings import GpuReading
from ledger.bench.machine.nvml import nvml
from ledger.bench.machine.sampler import OpenProbe, Probe, Sampler
from ledger.bench.run.execution import Execution
from ledger.bench.run.run_request import RunRequest
from ledger.bench.run.runner import header_of
from tests.bench.conftest import Run, prompts_of, protocol_of
from tests.bench.fake_engine import FakeBackend
from tests.bench.fake_nvml import FakeGpu, FakeNvml
from tests.bench.journal.journal_fixtures import chain_again
from tests.bench.virtual_time import VirtualClock


def cpu(busy: int, total: int, *, steal: int = 0, **own: int) -> CpuReading:
    """A reading with these times, and ticks of processes `p1` and so on."""
    return CpuReading(CpuTimes(busy, steal, total), {int(name[1:]): ticks for name, ticks in own.items()}, load_average=1.0)


def gpu(clock: float, *, slowed_by: tuple[str, ...] | None = (), energy_j: float | None = None, **fields: float) -> GpuReading:
    """A reading of a GPU."""
    return GpuReading(clock_mhz=clock, slowed_by=slowed_by, energy_j=energy_j, **fields)


class Script:
    """A probe with given samples; the last one is repeated."""

    def __init__(self, *samples: MachineSample) -> None:
        self.samples = list(samples)
        self.taken = 0

    def sample(self) -> MachineSample:
        """The next one."""
        self.taken += 1
        return self.samples[min(self.taken, len(self.samples)) - 1]


def opening(probe: Probe) -> OpenProbe:
    """What opens a probe."""

    @contextmanager
    def opened() -> Iterator[Probe]:
        yield probe

    return opened


def test_a_watch_samples_at_both_ends_of_the_measured_part_and_between() -> None:
    probe = Script(MachineSample(0.0, gpus=(gpu(1),)))
    with Sampler(opening(probe), every_s=0.001) as sampler:
        assert probe.taken == 0
        sampler.begin()
        sampler.begin()
        while probe.taken < 5:
            threading.Event().wait(0.001)
        figures, samples = sampler.end()
    assert (samples, figures["gpu-0.clock.median"]) == (probe.taken, 1)
    assert sampler.fault is None


def test_a_watch_that_never_began_has_nothing_to_say() -> None:
    probe = Script(MachineSample(0.0))
    with Sampler(opening(probe)) as sampler:
        assert sampler.end() == ({}, 0)
    assert probe.taken == 0
    assert sampler.fault is None


def test_a_watch_leaves_no_thread_when_the_cell_fails() -> None:
    sampler = Sampler(opening(Script(MachineSample(0.0))))
    with pytest.raises(KeyError), sampler:
        raise KeyError
    sampler._thread.join(10)
    assert not sampler._thread.is_alive()


class Broken:
    """A driver that fails in the middle."""

    def sample(self) -> MachineSample:
        """Fail."""
        raise OSError("the driver is gone")


def executed(folder: Path, probe_of: Probe) -> None:
    """Run a small plan with a probe of the test's."""
    plan, clock = protocol_of(repeats=2), VirtualClock()
    run_clock = RunClock.starting_at(clock)

    def probe_of_engine(engine: Engine) -> OpenProbe:
        return opening(probe_of)

    with Journal.create(folder / NAME) as journal:
        header = header_of(plan, prompts_of(4), plan.telemetry)
        journal.append("header", **header, protocol_commit=None, planned=False, environment={}, t=0.0, wall=clock.wall().isoformat())
        request = RunRequest(protocol=plan, prompts=prompts_of(4), model_path=folder, out_dir=folder)
        execution = Execution(request, backend=FakeBackend(), telemetry=plan.telemetry, clock=run_clock, journal=journal)
        execution.probe_of = probe_of_engine
        with asyncio.Runner(loop_factory=clock.loop_factory) as loop:
            loop.run(execution.run())


def test_a_cells_conditions_reach_the_result_with_energy_over_its_own_tokens(tmp_path: Path) -> None:
    samples = [MachineSample(0.0, cpu(0, 100), (gpu(1980, energy_j=10),)), MachineSample(2.0, cpu(50, 200), (gpu(1960, energy_j=28),))] * 4
    executed(tmp_path, Script(*samples))
    result = read_result(tmp_path)
    assert [(one.arm, one.load, one.repeat) for one in result.conditions] == [
        ("base", "c2", 1),
        ("ngram", "c2", 1),
        ("ngram", "c2", 2),
        ("base", "c2", 2),
    ]
    for one in result.conditions:
        assert one.measures["gpu-0.clock.median"].value == 1970
        assert one.measures["gpu-0.energy.total"].value == 18
        assert one.measures["energy-per-token.mean"].value == 18 / (6 * 3)  # six requests of three tokens
        assert one.measures["cpu.others.mean"].value == 0.5
        assert one.measures["cpu.others.mean"].n == 2


def test_a_probe_that_fails_is_a_deviation_and_the_run_goes_on(tmp_path: Path) -> None:
    executed(tmp_path, Broken())
    result = read_result(tmp_path)
    assert result.status == "complete"
    assert {key.partition(".")[0] for condition in result.conditions for key in condition.measures} == {"runner"}
    assert result.deviations[0] == "base at c2, repeat 1: what the device did was not recorded: OSError: the driver is gone"


def test_a_journal_from_before_the_watch_stays_readable(tmp_path: Path, run: Run) -> None:
    run()
    path = tmp_path / "run" / NAME
    lines = [{key: value for key, value in line.items() if key not in ("conditions", "samples", "measures")} for line in read_journal(path)]
    lines[0]["format"] = 1  # whose lines were not chained yet
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    chain_again(path)
    result = read_result(tmp_path / "run")
    assert result.status == "complete"
    assert result.conditions == ()


def test_a_run_beside_nvml_records_its_gpus(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    library = FakeNvml(FakeGpu(reasons=0x04))
    monkeypatch.setitem(sys.modules, "pynvml", library)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    result = run()
    assert len(result.conditions) == 2
    for one in result.conditions:
        assert one.measures["gpu-0.temperature.max"].value == 61
        assert one.measures["gpu-0.slowed-sw-power-cap.share"].value == 1
        assert one.measures["gpu-0.energy.total"].value == 3 * (one.measures["gpu-0.energy.total"].n - 1)
    with nvml():
        assert library.users == 1  # every sampler gave the driver back
