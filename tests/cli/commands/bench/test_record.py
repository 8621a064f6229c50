"""`ledger bench record RUN`: as far as the run went, with the command that finishes it."""

import signal
from pathlib import Path

from tests.bench.command_fixtures import Commands


def test_what_had_finished_is_recorded_as_partial(tmp_path: Path) -> None:
    commands = Commands(tmp_path / "ledger")
    run_id, _, _ = commands.cut("hangs-in-ngram", "session-start", signal.SIGKILL)
    done = commands.done("bench", "record", run_id)
    assert (done.returncode, done.stdout) == (0, f"{run_id}\n")
    assert done.stderr == f"recorded partial; `ledger bench resume {run_id}` finishes it\n"
    assert commands.record(run_id)["status"] == "partial"


def test_a_run_that_was_never_here_cannot_be_recorded(tmp_path: Path) -> None:
    assert Commands(tmp_path / "ledger").done("bench", "record", "2020-01-01-plan").returncode == 2
