"""A full disk, a workload that is gone and prompts in another encoding each end in one line and the right exit code."""

from hashlib import sha256
from pathlib import Path

import pytest

from tests.bench.command_fixtures import PATIENCE_S, Commands
from tests.bench.plan_ledger import LANDED_AT, PLAN


@pytest.fixture
def commands(tmp_path: Path) -> Commands:
    """A ledger whose plan has landed."""
    return Commands(tmp_path / "ledger")


def one_line(error: str) -> str:
    """What a command said last, in one line, without a traceback."""
    assert "Traceback" not in error
    return " ".join(error.split())


@pytest.mark.parametrize("most_bytes", [5_000, 20_000])
def test_a_full_disk_ends_a_run_and_it_goes_on_when_there_is_room(commands: Commands, most_bytes: int) -> None:
    """First the journal does not fit, then the record: neither loses what was measured."""
    process = commands.start("quick", "bench", "run", PLAN, most_bytes=most_bytes)
    out, err = process.communicate(timeout=PATIENCE_S)
    said = one_line(err)
    assert (process.returncode, out) == (3, ""), said
    assert "cannot be written: File too large" in said
    assert "make room" in said
    [journal] = commands.journals()
    run_id = journal.parent.name
    whole = commands.done("bench", "resume", run_id)
    assert whole.returncode == 0, whole.stderr
    assert commands.record(run_id)["status"] == "complete"
    commands.assert_sound(run_id)


@pytest.mark.parametrize("command", [("bench", "run", PLAN), ("bench", "plan", PLAN), ("bench", "pack", PLAN)])
def test_a_workload_that_is_gone_is_named(commands: Commands, command: tuple[str, ...]) -> None:
    (commands.folder.root / "records/workloads/prompts.toml").unlink()
    done = commands.done(*command)
    assert (done.returncode, done.stdout) == (4, ""), done.stderr
    assert "prompts: " in one_line(done.stderr)


@pytest.mark.parametrize("command", [("bench", "run", PLAN), ("bench", "plan", PLAN), ("bench", "pack", PLAN)])
def test_prompts_in_another_encoding_are_named_by_their_line(commands: Commands, command: tuple[str, ...]) -> None:
    path = commands.folder.root / "records/workloads/prompts.jsonl"
    content = path.read_bytes().replace(b"word word", "w\u00f6rd word".encode("latin-1"), 1)
    path.write_bytes(content)
    commands.folder.add("workload", "prompts", sha256=sha256(content).hexdigest(), count=4, prompts="prompts.jsonl")
    commands.folder.land(LANDED_AT)
    done = commands.done(*command)
    assert (done.returncode, done.stdout) == (4, ""), done.stderr
    assert "records/workloads/prompts.jsonl:2: is not UTF-8 (byte " in one_line(done.stderr)
    assert "is 0xf6)" in one_line(done.stderr)
