"""`ledger bench pack PROTOCOL`: what is written, said and refused."""

from pathlib import Path

import pytest

from tests.bench.plan_ledger import PLAN, PlanLedger
from tests.cli.conftest import Command
from tests.conftest import LedgerFolder


@pytest.fixture
def ledger_folder(tmp_path: Path) -> LedgerFolder:
    """A ledger whose plan has landed."""
    return PlanLedger(tmp_path / "works")


@pytest.fixture
def ledger(ledger_folder: LedgerFolder) -> PlanLedger:
    """The same, by its own type."""
    assert isinstance(ledger_folder, PlanLedger)
    return ledger_folder


def test_a_pack_is_written_and_told_how_to_use(ledger: PlanLedger, command: Command) -> None:
    done = command("bench", "pack", PLAN)
    assert (done.code, done.out) == (0, f"{PLAN}.pyz\n")
    assert (ledger.root / f"{PLAN}.pyz").read_bytes() == ledger.pack().read_bytes()
    assert f"python3 {PLAN}.pyz run --model DIR --out {PLAN}-run" in done.err
    assert f"ledger bench take {PLAN}-run" in done.err
    assert max(map(len, (done.out + done.err).splitlines())) <= 80


def test_an_older_pack_is_replaced_and_nothing_else_is(ledger: PlanLedger, command: Command, tmp_path: Path) -> None:
    for _ in range(2):
        assert command("bench", "pack", PLAN, "--out", str(tmp_path)).out == f"{tmp_path}/{PLAN}.pyz\n"
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    done = command("bench", "pack", PLAN, "--out", str(mine))
    assert (done.code, mine.read_text()) == (4, "mine")
    assert "is no pack" in done.err


def test_a_plan_that_has_not_landed_is_packed_only_on_demand(ledger: PlanLedger, command: Command) -> None:
    ledger.put("workload", "prompts", [{"id": "new", "messages": [{"role": "user", "content": "?"}]}])
    done = command("bench", "pack", PLAN)
    assert done.code == 4
    assert "prompts: not landed on main" in done.err
    assert not (ledger.root / f"{PLAN}.pyz").exists()
    assert "unplanned" in command("bench", "pack", PLAN, "--unplanned").err


def test_what_cannot_be_packed_is_said(ledger: PlanLedger, command: Command) -> None:
    assert "no such protocol" in command("bench", "pack", "other").err
    (ledger.root / "records/workloads/prompts.jsonl").write_text("edited")
    done = command("bench", "pack", PLAN)
    assert done.code == 4
    assert "differs from the hash" in done.err
