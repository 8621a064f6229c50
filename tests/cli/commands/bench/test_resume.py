"""`ledger bench resume RUN` at the command line; tests/api/runs/test_resume.py has what becomes of runs that were cut off."""

import signal
from pathlib import Path

from tests.bench.command_fixtures import Commands


def test_a_run_that_was_stopped_is_finished_under_its_id(tmp_path: Path) -> None:
    commands = Commands(tmp_path / "ledger")
    run_id, code, _ = commands.cut("hangs-in-ngram", "session-start", signal.SIGINT)
    assert code == 130
    done = commands.done("bench", "resume", run_id, "--executor", "third-party")
    assert (done.returncode, done.stdout) == (0, f"{run_id}\n"), done.stderr
    assert "deviation: the run was interrupted and resumed" in done.stderr
    record = commands.record(run_id)
    assert (record["status"], record["executor"]["relation"]) == ("complete", "third-party")


def test_a_run_that_was_never_here_cannot_be_resumed(tmp_path: Path) -> None:
    done = Commands(tmp_path / "ledger").done("bench", "resume", "2020-01-01-plan")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no journal of it here. No run was interrupted here." in " ".join(done.stderr.split())
