"""One run a machine: the second is refused in one line, and a process that was killed leaves no lock."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ledger.bench.run import run_request
from ledger.bench.run.machine_lock import machine_lock
from ledger.bench.run.runner import run_protocol
from ledger.bench.vllm.backend import VllmBackend
from ledger.errors import EnvironmentFaultError
from tests.bench.conftest import prompts_of, protocol_of
from tests.bench.fake_engine import FakeBackend

HOLD = """
import sys, time
from pathlib import Path
from ledger.bench.run.machine_lock import machine_lock
with machine_lock(Path(sys.argv[1]), "in elsewhere"):
    print("held", flush=True)
    time.sleep(60)
"""


def holder(path: Path) -> "subprocess.Popen[str]":
    """A process that holds a lock."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_run_is_told_which_one_is_at_work_and_a_killed_one_leaves_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    process = holder(path)
    with process:
        with pytest.raises(EnvironmentFaultError) as refusal, machine_lock(path, "in here"):
            pass
        assert str(refusal.value) == (
            f"another run is at work on this machine (process {process.pid}, in elsewhere): two at once would measure each other. "
            "Wait for it, or stop it first."
        )
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert path.is_file()
    with machine_lock(path, "in here"):
        assert path.read_text() == f"process {os.getpid()}, in here"


def test_the_lock_ends_with_what_it_was_held_for(tmp_path: Path) -> None:
    for _ in range(2):
        with machine_lock(tmp_path / "lock", "in here"):
            pass


def test_a_lock_that_cannot_be_opened_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(EnvironmentFaultError, match="cannot be opened"), machine_lock(tmp_path / "lock", "in here"):
        pass
    assert not (tmp_path / "elsewhere").exists()


def test_a_run_of_the_real_engine_takes_the_machines_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_request, "MACHINE_LOCK", tmp_path / "lock")
    request = run_request.RunRequest(protocol=protocol_of(), prompts=prompts_of(4), model_path=tmp_path, out_dir=tmp_path / "run")
    assert request.backend_factory is VllmBackend
    with holder(tmp_path / "lock") as process:
        with pytest.raises(EnvironmentFaultError, match="another run is at work"):
            run_protocol(request)
        assert not (tmp_path / "run").exists()
        assert replace(request, backend_factory=lambda *_: FakeBackend()).lock is None
        process.kill()
