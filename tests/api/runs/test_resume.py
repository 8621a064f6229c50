"""Runs that are stopped, killed, recorded in part and resumed, through the real command on the fake engine."""

import signal
import time
from pathlib import Path

import pytest

from tests.bench.command_fixtures import PATIENCE_S, Commands
from tests.bench.plan_ledger import LANDED_AT, PLAN


@pytest.fixture
def commands(tmp_path: Path) -> Commands:
    """A ledger whose plan has landed."""
    return Commands(tmp_path / "ledger")


@pytest.mark.parametrize(
    ("pace", "at", "number", "cells"),
    [
        ("starts-slowly", "header", signal.SIGINT, 0),
        ("starts-slowly", "header", signal.SIGTERM, 0),
        ("starts-deaf", "header", signal.SIGINT, 0),
        ("hangs-in-ngram", "session-start", signal.SIGINT, 1),
        ("hangs-in-ngram", "session-start", signal.SIGTERM, 1),
        ("hangs-in-ngram", "session-start", signal.SIGHUP, 1),
    ],
)
def test_a_stopped_run_leaves_its_partial_record_and_is_finished(commands: Commands, pace: str, at: str, number: int, cells: int) -> None:
    run_id, code, err = commands.cut(pace, at, number)
    assert code == 130
    last = err.strip().splitlines()[-1]
    assert last == f"stopped. {run_id} ({cells} of 2 cells finished) recorded as partial. Continue with `ledger bench resume {run_id}`."
    assert "Traceback" not in err
    partial = commands.record(run_id)
    assert (partial["status"], "decision" in partial) == ("partial", False)
    assert [verdict["outcome"] for verdict in partial["verdicts"]] == ["inconclusive"]
    assert {cell["arm"] for cell in partial["cells"]} == ({"base"} if cells else set())
    commands.assert_sound(run_id)
    done = commands.done("bench", "resume", run_id)
    assert (done.returncode, done.stdout.strip()) == (0, run_id), done.stderr
    whole = commands.record(run_id)
    assert (whole["status"], whole["decision"], "supersedes" in whole) == ("complete", "base", False)
    assert "the run was interrupted and resumed" in whole["deviations"]
    commands.assert_sound(run_id)


def test_a_run_whose_engine_never_came_up_is_not_recorded(commands: Commands) -> None:
    process = commands.start("never-starts", "bench", "run", PLAN)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, out, err.strip().splitlines()[-1]) == (3, "", "vLLM did not start: no memory.")
    assert list((commands.folder.root / "records/runs").glob("*")) == []


def test_a_background_job_hears_only_what_ends_it(commands: Commands) -> None:
    process = commands.start("hangs-in-ngram", "bench", "run", PLAN, deaf=True)
    commands.wait_for(process, "session-start")
    for number in (signal.SIGHUP, signal.SIGINT):
        process.send_signal(number)
    time.sleep(0.5)
    assert process.poll() is None
    process.terminate()
    _, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, "Traceback" in err) == (130, False), err
    [journal] = commands.journals()
    assert commands.record(journal.parent.name)["status"] == "partial"


def test_a_killed_run_is_told_recorded_and_finished(commands: Commands) -> None:
    run_id, code, _ = commands.cut("hangs-in-ngram", "session-start", signal.SIGKILL)
    assert code == -signal.SIGKILL
    assert not (commands.folder.root / f"records/runs/{run_id}.json").exists()
    assert f"interrupted, without a record: {run_id}." in commands.done("runs").stderr.replace("\n", " ")
    other = commands.done("bench", "resume", "2020-01-01-other")
    assert (other.returncode, other.stdout) == (2, "")
    assert f"Interrupted are {run_id} (1 of 2 cells finished)." in other.stderr.replace("\n", " ")
    recorded = commands.done("bench", "record", run_id)
    assert (recorded.returncode, recorded.stdout.strip()) == (0, run_id), recorded.stderr
    assert commands.record(run_id)["status"] == "partial"
    commands.assert_sound(run_id)
    assert "without a record" not in commands.done("runs").stderr
    again = commands.done("bench", "record", run_id)
    assert (again.returncode, again.stdout) == (4, "")
    assert commands.done("bench", "resume", run_id).returncode == 0
    assert commands.record(run_id)["status"] == "complete"
    commands.assert_sound(run_id)


def test_a_run_at_work_is_neither_recorded_nor_resumed(commands: Commands) -> None:
    process = commands.start("hangs-in-ngram", "bench", "run", PLAN)
    until_s = time.monotonic() + PATIENCE_S
    while not commands.journals() and time.monotonic() < until_s:
        time.sleep(0.01)
    [journal] = commands.journals()
    refused = [commands.done("bench", verb, journal.parent.name) for verb in ("record", "resume")]
    assert process.poll() is None
    process.kill()
    process.communicate()
    assert [one.returncode for one in refused] == [4, 4], [one.stderr for one in refused]
    assert "at work in another process" in refused[0].stderr
    assert "another process is writing it" in refused[1].stderr.replace("\n", " ")


def test_a_partial_record_that_landed_stays_and_the_finished_run_supersedes_it(commands: Commands) -> None:
    old, _, _ = commands.cut("hangs-in-ngram", "session-start", signal.SIGINT)
    commands.folder.land(LANDED_AT)
    before = {path: content for path, content in commands.folder.written().items() if old in path}
    assert commands.done("bench", "record", old).returncode == 4
    done = commands.done("bench", "resume", old)
    new = done.stdout.strip()
    assert (done.returncode, new) == (0, f"{old}-2"), done.stderr
    assert {path: content for path, content in commands.folder.written().items() if old in path and new not in path} == before
    record = commands.record(new)
    assert (record["status"], record["supersedes"]["id"], record["supersedes"]["because"]) == ("complete", old, "correction")
    assert record["started_at"] == commands.record(old)["started_at"]
    commands.assert_sound(old, new)
    commands.folder.land(LANDED_AT)
    assert [str(problem) for problem in commands.folder.open().checks.check_history()] == []
    again = commands.done("bench", "resume", old)
    assert (again.returncode, again.stdout) == (2, "")
    assert f"{new}: is complete and has landed" in again.stderr


def test_a_landed_part_that_was_taken_up_and_stopped_again_goes_on_where_it_was_taken_up(commands: Commands) -> None:
    old, _, _ = commands.cut("hangs-in-ngram", "session-start", signal.SIGINT)
    commands.folder.land(LANDED_AT)
    process = commands.start("hangs-in-ngram", "bench", "resume", old)
    new = commands.folder.root / f"records/evidence/{old}-2/journal.jsonl"
    until_s = time.monotonic() + PATIENCE_S
    while not (new.is_file() and '"kind":"resume"' in new.read_text()) and time.monotonic() < until_s:
        time.sleep(0.01)
    process.kill()
    process.communicate()
    done = commands.done("bench", "resume", old)
    assert (done.returncode, done.stdout.strip()) == (0, f"{old}-2"), done.stderr
    assert len(commands.journals()) == 2
    commands.assert_sound(old, f"{old}-2")


def test_an_unplanned_run_decides_nothing(commands: Commands) -> None:
    path = commands.folder.root / f"records/protocols/{PLAN}.toml"
    path.write_text(path.read_text().replace("seed = 0", "seed = 1"))
    done = commands.done("bench", "run", PLAN, "--unplanned")
    assert done.returncode == 0, done.stderr
    record = commands.record(done.stdout.strip())
    assert (record["planned"], "decision" in record) == (False, False)
    assert record["verdicts"][0]["because"].startswith("the plan had not landed before the run started")
    commands.assert_sound(done.stdout.strip())
