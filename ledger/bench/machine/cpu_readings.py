"""What the processor does at an instant, from the kernel's own files: time used, time stolen, clock, load.

Nothing here is read through a library: a sample must cost little while a measurement runs.
"""

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from ledger.bench.machine.resident_memory import resident_bytes

PROC, CPUS = Path("/proc"), Path("/sys/devices/system/cpu")


@dataclass(frozen=True, slots=True)
class CpuTimes:
    """Time of the usable cores since the system's start, in clock ticks, summed over them."""

    busy: int
    """User, nice, system and interrupts."""
    steal: int
    """Time in which the hypervisor ran something else."""
    total: int


@dataclass(frozen=True, slots=True)
class CpuReading:
    """The processor at an instant; None where the system does not say."""

    times: CpuTimes | None = None
    own_ticks: dict[int, int] | None = None
    """Process id to its ticks, of this process and the engine's."""
    clock_mhz: float | None = None
    """Mean over the usable cores."""
    load_average: float | None = None
    """Over the last minute, of the whole machine."""
    resident_bytes: int | None = None
    """Of the engine's processes; pages that they share count once in each."""


class CpuReader:
    """Reads the cores that this process may use, and what an engine's processes take of them."""

    def __init__(self, engine_processes: Sequence[int], *, proc: Path = PROC, cpus: Path = CPUS) -> None:
        """Find out once what does not change: which cores there are and where their clocks are told."""
        self._proc = proc
        self._engine = tuple(engine_processes)
        self._own = (os.getpid(), *self._engine)
        self._usable = usable_cores()
        self._clock_files = [file for core in sorted(self._usable) if (file := cpus / f"cpu{core}/cpufreq/scaling_cur_freq").is_file()]
        self._clock_in_cpuinfo = not self._clock_files and clock_is_measured(read(proc / "cpuinfo"))

    def read(self) -> CpuReading:
        """Return the present reading."""
        stats = {process: process_ticks(read(self._proc / str(process) / "stat")) for process in self._own}
        return CpuReading(
            times=cpu_times(read(self._proc / "stat"), self._usable),
            own_ticks={process: ticks for process, ticks in stats.items() if ticks is not None},
            clock_mhz=self._clock_mhz(),
            load_average=load_average(read(self._proc / "loadavg")),
            resident_bytes=resident_bytes(self._engine),
        )

    def _clock_mhz(self) -> float | None:
        if self._clock_in_cpuinfo:
            return mean(clocks_of(read(self._proc / "cpuinfo"), self._usable))
        return mean([int(khz) / 1000 for file in self._clock_files if (khz := read(file).strip()).isdecimal()])


def usable_cores() -> frozenset[int]:
    """Return the numbers of the cores that this process may use."""
    return frozenset(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1))


def read(path: Path) -> str:
    """Return a file's text; empty where it is not there or not ours to read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def mean(values: Sequence[float]) -> float | None:
    """Return the mean; None of nothing."""
    return sum(values) / len(values) if values else None


def cpu_times(text: str, usable: Collection[int]) -> CpuTimes | None:
    """Return the time of the usable cores from `/proc/stat`; None where it names none of them.

    A line is `cpuN user nice system idle iowait irq softirq steal guest guest_nice`; guests' time is in user and nice.
    """
    busy = steal = total = 0
    for line in text.splitlines():
        if not line.startswith("cpu"):
            break  # what follows the cores can be long
        name, *fields = line.split()
        if name == "cpu" or int(name[3:]) not in usable:
            continue
        user, nice, system, idle, iowait, irq, softirq, stolen = (int(field) for field in fields[:8])
        used = user + nice + system + irq + softirq
        busy, steal, total = busy + used, steal + stolen, total + used + idle + iowait + stolen
    return CpuTimes(busy, steal, total) if total else None


def process_ticks(text: str) -> int | None:
    """Return user and system ticks from `/proc/PID/stat`, without those of its children; None when the process is gone.

    The second field is the command's name in parentheses and may hold spaces and parentheses.
    """
    fields = text.rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12]) if len(fields) > 12 else None


def load_average(text: str) -> float | None:
    """Return the load average of the last minute from `/proc/loadavg`; None where there is none."""
    return float(text.split()[0]) if text.strip() else None


def clock_is_measured(cpuinfo: str) -> bool:
    """Whether the frequencies in `/proc/cpuinfo` are measured: without the counters behind them they are the nominal figure."""
    flags = next((line for line in cpuinfo.splitlines() if line.startswith("flags")), "")
    return "aperfmperf" in flags.split()


def clocks_of(cpuinfo: str, usable: Collection[int]) -> list[float]:
    """Return the frequencies of the usable cores from `/proc/cpuinfo`, in MHz."""
    clocks: dict[int, float] = {}
    core = -1
    for line in cpuinfo.splitlines():
        name, _, value = (part.strip() for part in line.partition(":"))
        if name == "processor" and value.isdecimal():
            core = int(value)
        elif name == "cpu MHz":
            clocks[core] = float(value)
    return [clock for core, clock in clocks.items() if core in usable]
