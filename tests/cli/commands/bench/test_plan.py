"""`ledger bench plan PROTOCOL`: what will run, and whether it may."""

from typing import TYPE_CHECKING

import pytest

from tests.bench.plan_ledger import PLAN, PlanLedger

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command


@pytest.fixture
def ledger_folder(tmp_path: "Path") -> PlanLedger:
    """A ledger whose plan has landed."""
    return PlanLedger(tmp_path / "works")


def test_a_plan_that_has_landed_may_run(ledger_folder: PlanLedger, command: "Command") -> None:
    done = command("bench", "plan", PLAN)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "question            Does it help?"
    assert any(line.startswith("state") and line.endswith("landed, may run") for line in lines)
    assert max(map(len, lines)) <= 80


def test_what_has_not_landed_is_named(ledger_folder: PlanLedger, command: "Command") -> None:
    ledger_folder.put("workload", "prompts", [{"id": "new", "messages": [{"role": "user", "content": "?"}]}])
    assert "not landed: prompts; commit first, or run with --unplanned" in " ".join(command("bench", "plan", PLAN).out.split())


def test_an_unknown_protocol_names_those_that_are_there(ledger_folder: PlanLedger, command: "Command") -> None:
    done = command("bench", "plan", "other")
    assert (done.code, done.out, done.err) == (2, "", f"other: no such protocol. There is {PLAN}.\n")
