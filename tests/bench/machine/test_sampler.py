"""What the device does while a cell is measured: read, summed up, and carried to the run's record."""

import asyncio
import json
import os
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
from ledger.bench.machine.cell_conditions import Sample, condition_of, device_count_of, figures_of, hosts_of
from ledger.bench.machine.cpu_readings import (
    CpuReader,
    CpuReading,
    CpuTimes,
    clock_is_measured,
    clocks_of,
    cpu_times,
    load_average,
    process_ticks,
)
from ledger.bench.machine.gpu_readings import GpuReader, GpuReading
from ledger.bench.machine.nvml import nvml
from ledger.bench.machine.resident_memory import resident_bytes
from ledger.bench.machine.sampler import OpenProbe, Probe, Sampler
from ledger.bench.plan.plan import Cell
from ledger.bench.run.execution import Execution
from ledger.bench.run.run_request import RunRequest
from ledger.bench.run.runner import header_of
from tests.bench.conftest import Run, prompts_of, protocol_of
from tests.bench.fake_engine import FakeBackend
from tests.bench.fake_nvml import FakeGpu, FakeNvml
from tests.bench.virtual_time import VirtualClock

STAT = """cpu  900 0 0 900 0 0 0 0 0 0
cpu0 100 10 20 300 5 1 2 7 50 0
cpu1 400 0 0 50 0 0 0 0 0 0
cpu12 30 0 0 20 0 0 0 1 0 0
intr 5 0 0
"""
CPUINFO = """processor\t: 0
flags\t\t: fpu sse {flag}
cpu MHz\t\t: 2000.5

processor\t: 1
cpu MHz\t\t: 3000.0
"""


def test_the_usable_cores_times_are_summed_and_guests_counted_once() -> None:
    assert cpu_times(STAT, {0, 12}) == CpuTimes(busy=163, steal=8, total=496)
    assert cpu_times(STAT, {5}) is None
    assert cpu_times("", {0}) is None


def test_a_processs_ticks_are_found_behind_any_name() -> None:
    numbers = " ".join(str(number) for number in range(3, 30))
    assert process_ticks(f"7 (a (odd) name 1 2) S {numbers[2:]}") == 14 + 15  # fields 14 and 15, counted from 1
    assert process_ticks("") is None


def test_a_nominal_frequency_is_no_measured_clock() -> None:
    assert clock_is_measured(CPUINFO.format(flag="aperfmperf"))
    assert not clock_is_measured(CPUINFO.format(flag="hypervisor"))
    assert clocks_of(CPUINFO, {0, 1}) == [2000.5, 3000.0]
    assert clocks_of(CPUINFO, {1}) == [3000.0]


def test_the_load_average_is_the_last_minutes() -> None:
    assert load_average("1.25 0.5 0.1 2/94 7409") == 1.25
    assert load_average("") is None


def test_a_reader_takes_the_clock_from_the_frequency_driver_where_there_is_one(tmp_path: Path) -> None:
    for core, khz in ((core, 2_000_000) for core in os.sched_getaffinity(0)):
        folder = tmp_path / "cpus" / f"cpu{core}" / "cpufreq"
        folder.mkdir(parents=True)
        (folder / "scaling_cur_freq").write_text(f"{khz}\n")
    assert CpuReader((), proc=tmp_path, cpus=tmp_path / "cpus").read().clock_mhz == 2000
    assert CpuReader((), proc=tmp_path, cpus=tmp_path).read() == CpuReading(own_ticks={})


def test_this_machines_files_can_be_read() -> None:
    reading = CpuReader((os.getpid(),)).read()
    assert reading.times is not None
    assert reading.times.busy <= reading.times.total
    assert reading.own_ticks is not None
    assert set(reading.own_ticks) == {os.getpid()}
    assert reading.resident_bytes == pytest.approx(resident_bytes([os.getpid()]), rel=0.5)
    assert resident_bytes([2**22 + 1]) is None


def cpu(busy: int, total: int, *, steal: int = 0, **own: int) -> CpuReading:
    """A reading with these times, and ticks of processes `p1` and so on."""
    return CpuReading(CpuTimes(busy, steal, total), {int(name[1:]): ticks for name, ticks in own.items()}, load_average=1.0)


def test_others_share_is_all_busy_time_less_our_own_up_to_a_processs_end() -> None:
    samples = [
        Sample(0.0, cpu(1000, 5000, steal=10, p1=100, p2=50)),
        Sample(1.0, cpu(1100, 5200, steal=20, p1=130, p2=70)),
        Sample(2.0, cpu(1200, 5400, steal=30, p1=150)),
    ]
    found = figures_of(samples)
    assert found["cpu.others.mean"] == pytest.approx((200 - 50 - 20) / 400)
    assert found["cpu.steal.mean"] == pytest.approx(20 / 400)
    assert "cpu.clock.median" not in found  # not recorded is no zero


def test_ticks_finer_than_the_cores_never_make_the_others_negative() -> None:
    assert figures_of([Sample(0.0, cpu(0, 100, p1=0)), Sample(1.0, cpu(90, 200, p1=95))])["cpu.others.mean"] == 0


def test_a_cell_under_a_second_has_no_shares_of_time() -> None:
    found = figures_of([Sample(0.0, cpu(0, 100)), Sample(0.9, cpu(90, 200))])
    assert set(found) == {"cpu.load-average.mean"}


def gpu(clock: float, *, slowed_by: tuple[str, ...] | None = (), energy_j: float | None = None, **fields: float) -> GpuReading:
    """A reading of a GPU."""
    return GpuReading(clock_mhz=clock, slowed_by=slowed_by, energy_j=energy_j, **fields)


def test_a_gpus_samples_come_to_one_figure_each() -> None:
    readings = [
        gpu(1980, energy_j=100, temperature_c=60, power_w=500, utilisation=0.9),
        gpu(1700, energy_j=400, temperature_c=70, power_w=700, utilisation=1.0, slowed_by=("sw-power-cap",)),
        gpu(1900, energy_j=900, temperature_c=65, power_w=600, utilisation=0.8, slowed_by=("sw-power-cap", "sw-thermal")),
        gpu(1960),
    ]
    found = figures_of([Sample(float(place), gpus=(reading,)) for place, reading in enumerate(readings)])
    assert found == {
        "gpu-0.clock.median": 1930,
        "gpu-0.clock.min": 1700,
        "gpu-0.temperature.max": 70,
        "gpu-0.power.mean": 600,
        "gpu-0.power.max": 700,
        "gpu-0.utilisation.mean": pytest.approx(0.9),
        "gpu-0.slowed.share": 0.5,
        "gpu-0.slowed-sw-power-cap.share": 0.5,
        "gpu-0.slowed-sw-thermal.share": 0.25,
        "gpu-0.energy.total": 800,
    }


def test_reasons_that_are_not_told_are_absent_and_none_seen_is_zero() -> None:
    assert "gpu-0.slowed.share" not in figures_of([Sample(0.0, gpus=(gpu(1, slowed_by=None),))])
    assert figures_of([Sample(0.0, gpus=(gpu(1),))])["gpu-0.slowed.share"] == 0


def test_an_energy_counter_that_started_again_gives_no_energy() -> None:
    found = figures_of([Sample(0.0, gpus=(gpu(1, energy_j=500),)), Sample(1.0, gpus=(gpu(1, energy_j=20),))])
    assert "gpu-0.energy.total" not in found


@pytest.mark.parametrize(("devices", "expected"), [(2, 2.5), (None, 2.5), (4, None)])
def test_energy_per_token_counts_every_device_or_is_left_out(devices: int | None, expected: float | None) -> None:
    figures = {"gpu-0.energy.total": 300.0, "gpu-1.energy.total": 200.0, "gpu-0.clock.min": 1.0}
    condition = condition_of(Cell("base", "c2", 1), figures, 9, output_tokens=200, device_count=devices)
    measure = condition.measures.get("energy-per-token.mean")
    assert (measure.value if measure else None) == expected
    assert condition.measures["gpu-0.energy.total"].unit == "J"
    assert {measure.n for measure in condition.measures.values()} == {9}
    assert "energy-per-token.mean" not in condition_of(Cell("base", "c2", 1), figures, 9, output_tokens=0, device_count=2).measures


def test_energy_of_one_host_is_not_that_of_a_cluster() -> None:
    assert hosts_of({"parallel_config.nnodes": 1}, {"hosts": 2}) == hosts_of({"parallel_config.nnodes": 2}, {}) == 2
    assert hosts_of({}, {}) == 1
    condition = condition_of(Cell("base", "c2", 1), {"gpu-0.energy.total": 3.0}, 9, output_tokens=2, device_count=1, hosts=2)
    assert set(condition.measures) == {"gpu-0.energy.total"}


def test_the_devices_of_an_engine_are_the_product_of_its_parallel_sizes() -> None:
    sizes = {"tensor": 2, "pipeline": 3, "data": 4}
    assert device_count_of({f"parallel_config.{name}_parallel_size": size for name, size in sizes.items()}) == 24
    assert device_count_of({}) is None


def test_nvml_is_asked_in_its_own_units() -> None:
    library = FakeNvml(FakeGpu(reasons=0x04 | 0x40 | 0x01 | 0x10))
    (reading,) = GpuReader(library, [0]).read()
    assert reading == GpuReading(1980, 2619, 61, 540.0, 0.95, ("sw-power-cap", "hw-thermal"), 5003.0)


def test_an_older_driver_answers_by_the_older_name_and_an_older_card_says_less() -> None:
    lacks = ("nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetTotalEnergyConsumption", "nvmlDeviceGetPowerUsage")
    (reading,) = GpuReader(FakeNvml(FakeGpu(reasons=0x20), lacks=lacks), [0]).read()
    assert (reading.slowed_by, reading.energy_j, reading.power_w, reading.clock_mhz) == (("sw-thermal",), None, None, 1980)


def test_a_split_cards_power_is_not_the_engines() -> None:
    (reading,) = GpuReader(FakeNvml(FakeGpu(mig=1)), [0]).read()
    assert (reading.power_w, reading.energy_j, reading.temperature_c) == (None, None, 61)


class Script:
    """A probe with given samples; the last one is repeated."""

    def __init__(self, *samples: Sample) -> None:
        self.samples = list(samples)
        self.taken = 0

    def sample(self) -> Sample:
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
    probe = Script(Sample(0.0, gpus=(gpu(1),)))
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
    probe = Script(Sample(0.0))
    with Sampler(opening(probe)) as sampler:
        assert sampler.end() == ({}, 0)
    assert probe.taken == 0
    assert sampler.fault is None


def test_a_watch_leaves_no_thread_when_the_cell_fails() -> None:
    sampler = Sampler(opening(Script(Sample(0.0))))
    with pytest.raises(KeyError), sampler:
        raise KeyError
    sampler._thread.join(10)
    assert not sampler._thread.is_alive()


class Broken:
    """A driver that fails in the middle."""

    def sample(self) -> Sample:
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
    samples = [Sample(0.0, cpu(0, 100), (gpu(1980, energy_j=10),)), Sample(2.0, cpu(50, 200), (gpu(1960, energy_j=28),))] * 4
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
    assert result.conditions == ()
    assert result.deviations[0] == "base at c2, repeat 1: what the device did was not recorded: OSError: the driver is gone"


def test_a_journal_from_before_the_watch_stays_readable(tmp_path: Path, run: Run) -> None:
    run()
    path = tmp_path / "run" / NAME
    lines = [{key: value for key, value in line.items() if key not in ("conditions", "samples")} for line in read_journal(path)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
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
