"""Commands timed as whole processes by the operating system's own account."""

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures import Figure

ROOT = Path(__file__).resolve().parent.parent
LEDGER = [sys.executable, "-c", "from ledger.cli.main import main; main()"]


@dataclass(frozen=True, slots=True)
class Timed:
    """One finished process."""

    wall_s: float
    cpu_s: float
    peak_mib: float


def timed(command: list[str], cwd: Path) -> Timed:
    """Run a command to its end and return what it took; its output is dropped."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    started = time.monotonic()
    process = subprocess.Popen(command, cwd=cwd, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return Timed(time.monotonic() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def compared(name: str, command: list[str], floor: list[str], *, cwd: Path, runs: int = 5) -> Figure:
    """Print and return a command beside its floor, run in turn after one warm-up each: medians, and the ratio of the pairs."""
    timed(command, cwd), timed(floor, cwd)
    pairs = [(timed(command, cwd), timed(floor, cwd)) for _ in range(runs)]
    wall, cpu = (statistics.median(getattr(ours, field) for ours, _ in pairs) for field in ("wall_s", "cpu_s"))
    ratio = statistics.median(ours.wall_s / base.wall_s for ours, base in pairs)
    peak = max(ours.peak_mib for ours, _ in pairs)
    print(f"{name:<44}{wall:8.2f} s wall{cpu:8.2f} s cpu{peak:8.0f} MiB{ratio:9.1f} x the floor")
    return Figure(name, f"{ratio:.1f} x the floor ({wall:.2f} s wall, {cpu:.2f} s cpu, {peak:.0f} MiB)")


def status_bytes(name: str) -> int:
    """Return a size that Linux keeps of this process, such as VmRSS, or VmHWM for its peak since it became this program."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(f"{name}:"))
