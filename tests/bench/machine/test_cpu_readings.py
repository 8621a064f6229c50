"""What the kernel's files say of the processor at an instant."""

import os
from pathlib import Path

import pytest

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
from ledger.bench.machine.resident_memory import resident_bytes

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
