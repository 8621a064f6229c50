"""Processes of the engine die with the process that started them, unless the guard was dismissed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil

from ledger.bench.vllm.engine import wait_until_gone
from ledger.bench.vllm.orphan_killer import OrphanKiller

ROOT = Path(__file__).resolve().parents[3]
SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]
PARENT = f"""
import subprocess, sys, time
from ledger.bench.vllm.orphan_killer import OrphanKiller
orphan_killer = OrphanKiller()
with orphan_killer:
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
    child = child_of_killed_parent("orphan_killer.dismiss()")
    time.sleep(0.5)
    assert child.is_running()
    child.kill()


def test_a_guard_knows_children_and_not_itself() -> None:
    orphan_killer = OrphanKiller()
    with orphan_killer:
        child = subprocess.Popen(SLEEPER)
    try:
        assert child.pid in [process.pid for process in orphan_killer.processes]
        orphan_killer.dismiss()
        orphan_killer.dismiss()
        assert not any("sys.stdin" in command_of(process) for process in orphan_killer.processes)
    finally:
        child.kill()
        child.wait()


def test_a_child_that_was_there_before_is_not_the_engines() -> None:
    """GitPython keeps a `git cat-file`; taken for the engine's, it was waited for and killed at the first stop."""
    before = subprocess.Popen(SLEEPER)
    orphan_killer = OrphanKiller()
    with orphan_killer:
        engine = subprocess.Popen(SLEEPER)
    try:
        assert [process.pid for process in orphan_killer.processes] == [engine.pid]
        wait_until_gone(orphan_killer.processes, within_s=0.2)
        assert engine.wait(timeout=10) == -signal.SIGKILL
        assert before.poll() is None
    finally:
        orphan_killer.dismiss()
        for child in (before, engine):
            child.kill()
            child.wait()
