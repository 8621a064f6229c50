"""`ledger bench run PROTOCOL` on the fake engine: the id on standard output, everything else on standard error."""

from pathlib import Path

import pytest

from tests.bench.command_fixtures import Commands
from tests.bench.plan_ledger import PLAN


@pytest.fixture
def commands(tmp_path: Path) -> Commands:
    """A ledger whose plan has landed."""
    return Commands(tmp_path / "ledger")


def test_a_run_prints_its_id_and_how_it_was_recorded(commands: Commands) -> None:
    done = commands.done("bench", "run", PLAN, "--executor", "supplier")
    assert done.returncode == 0, done.stderr
    [run_id] = done.stdout.split()
    record = commands.record(run_id)
    assert (record["planned"], record["executor"]["relation"]) == (True, "supplier")
    assert done.stderr.splitlines()[-1] == (
        f"recorded complete; see `ledger show {run_id}`, `ledger bench compare {run_id}`, `ledger verify {run_id}`"
    )


def test_a_plan_that_is_not_fixed_runs_only_on_demand(commands: Commands) -> None:
    commands.folder.put("workload", "prompts", [{"id": "new", "messages": [{"role": "user", "content": "?"}]}])
    done = commands.done("bench", "run", PLAN)
    assert (done.returncode, done.stdout) == (4, "")
    assert "prompts: not landed on main as it stands" in done.stderr
    assert commands.journals() == []
    done = commands.done("bench", "run", PLAN, "--unplanned")
    assert commands.record(done.stdout.strip())["planned"] is False
