"""Processes of the engine: guarded against our death, waited for at the end, their output in a file."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from ledger.bench.machine.resident_memory import resident_peak_bytes
from ledger.bench.vllm.engine import wait_until_gone
from ledger.bench.vllm.engine_log import output_to
from ledger.bench.vllm.orphan_killer import Guardian

ROOT = Path(__file__).resolve().parents[2]
SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]
PARENT = f"""
import subprocess, sys, time
from ledger.bench.vllm.orphan_killer import Guardian
guardian = Guardian()
with guardian:
    child = subprocess.Popen({SLEEPER!r}, stdin=subprocess.DEVNULL)
{{end}}
print(child.pid, flush=True)
time.sleep(60)
"""


def child_of_killed_parent(end: str) -> psutil.Process:
    """Kill a process that has started a guard and a child, and return the child."""
    parent = subprocess.Popen([sys.executable, "-c", PARENT.format(end=end)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    with parent.stdout:
        child = psutil.Process(int(parent.stdout.readline()))
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    return child


def command_of(process: psutil.Process) -> str:
    """The command line of a process; empty once it has ended, as other tests' children may have."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def test_a_killed_run_takes_its_engine_along() -> None:
    child_of_killed_parent("").wait(timeout=10)


def test_a_dismissed_guard_touches_nothing() -> None:
    child = child_of_killed_parent("guardian.dismiss()")
    time.sleep(0.5)
    assert child.is_running()
    child.kill()


def test_a_guard_knows_children_and_not_itself() -> None:
    guardian = Guardian()
    with guardian:
        child = subprocess.Popen(SLEEPER)
    try:
        assert child.pid in [process.pid for process in guardian.processes]
        guardian.dismiss()
        guardian.dismiss()
        assert not any("sys.stdin" in command_of(process) for process in guardian.processes)
    finally:
        child.kill()
        child.wait()


def test_waiting_reaps_what_ended_and_kills_what_did_not() -> None:
    ended = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(0,))
    ended.start()
    stubborn = subprocess.Popen(SLEEPER)
    wait_until_gone([psutil.Process(ended.pid), psutil.Process(stubborn.pid)], within_s=3)
    assert stubborn.poll() == -signal.SIGKILL
    assert not ended.is_alive()
    assert not psutil.pid_exists(ended.pid or 0)


def test_resident_peak_is_the_high_water_mark() -> None:
    program = "x = bytearray(200 << 20); del x; print('ready', flush=True); import time; time.sleep(60)"
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    with child.stdout:
        child.stdout.readline()
    peak = resident_peak_bytes([child.pid])
    child.kill()
    child.wait()
    assert peak is not None
    assert 200 << 20 < peak < 400 << 20
    assert resident_peak_bytes([]) is None


def test_what_children_print_goes_to_the_file_and_what_we_print_does_not(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "engine.log"
    with output_to(log):
        subprocess.run([sys.executable, "-c", "import os; os.write(1, b'out'); os.write(2, b'err')"], check=True)
        print("ours")
    print("after")
    assert log.read_text() == "outerr"
    assert "ours" not in log.read_text()
    assert "after" in capfd.readouterr().out
