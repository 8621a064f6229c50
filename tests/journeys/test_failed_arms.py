"""An arm that fails has no speed: it dies, or a third of its requests do, while it answers faster than the baseline where it answers."""

from pathlib import Path
from typing import Any

import pytest

from tests.bench.command_fixtures import Commands
from tests.bench.plan_ledger import PLAN

PLANNED: dict[str, Any] = {"loads": [{"id": "c1", "concurrency": 1, "requests": 9}], "repeats": 2, "suites": []}


@pytest.fixture
def commands(tmp_path: Path) -> Commands:
    """A ledger whose plan has landed: nine prompts, enough for the interval of a median."""
    return Commands(tmp_path / "ledger", prompts=9, **PLANNED)


def test_an_arm_that_answers_faster_wins(commands: Commands) -> None:
    """What the other two would be called if it did not matter how many requests failed."""
    done = commands.start("ngram-faster", "bench", "run", PLAN)
    out, err = done.communicate(timeout=60)
    assert done.returncode == 0, err
    record = commands.record(out.strip())
    assert (record["status"], record["decision"]) == ("complete", "ngram")


def test_an_arm_whose_engine_dies_is_unfinished_and_wins_nothing(commands: Commands) -> None:
    process = commands.start("ngram-dies", "bench", "run", PLAN)
    out, err = process.communicate(timeout=60)
    run_id = out.strip()
    assert process.returncode == 1, err
    assert "Traceback" not in err
    said = " ".join(err.split())
    assert "ngram at c1, repeat 1: the engine died, so the cell is unfinished" in said
    assert "ngram at c1, repeat 2: the engine died, so the cell is unfinished" in said
    assert "recorded partial" in said
    record = commands.record(run_id)
    assert (record["status"], "decision" in record) == ("partial", False)
    assert [(one["outcome"], one["because"]) for one in record["verdicts"]] == [
        ("inconclusive", "the run is partial; a verdict needs a complete one")
    ]
    assert {cell["arm"] for cell in record["cells"]} == {"base"}
    commands.assert_sound(run_id)
    resumed = commands.done("bench", "resume", run_id)
    assert resumed.returncode == 0, resumed.stderr
    assert commands.record(run_id)["status"] == "complete"
    commands.assert_sound(run_id)


def test_an_arm_that_fails_a_third_of_its_requests_decides_nothing(commands: Commands) -> None:
    process = commands.start("a-third-fails", "bench", "run", PLAN)
    out, err = process.communicate(timeout=60)
    run_id = out.strip()
    assert process.returncode == 1, err
    said = " ".join(err.split())
    assert "ngram at c1: of 18 requests, 6 failed" in said
    assert "recorded failed" in said
    record = commands.record(run_id)
    assert (record["status"], "decision" in record) == ("failed", False)
    assert {one["outcome"] for one in record["verdicts"]} == {"inconclusive"}
    [pooled] = [cell for cell in record["cells"] if cell["arm"] == "ngram" and cell.get("repeat") is None]
    assert pooled["requests"] == {"sent": 18, "completed": 12, "failed": 6, "aborted": 0, "empty": 0}
    commands.assert_sound(run_id)
    again = commands.done("bench", "resume", run_id)
    assert (again.returncode, commands.record(run_id)["status"]) == (1, "failed"), again.stderr
