"""`ledger bench pack` and `take` at the command line: what is said, asked and refused."""

import shutil
from pathlib import Path

import pytest

from ledger.cli.commands.bench import take as taking
from ledger.cli.input import prompts as asking
from tests.bench.plan_ledger import PLAN, RUN, PlanLedger
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


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What somebody at the terminal will type, line by line."""
    lines: list[str] = []

    def typed(_: str) -> str:
        if not lines:
            raise EOFError
        return lines.pop(0)

    monkeypatch.setattr(taking, "at_terminal", lambda: True)
    monkeypatch.setattr(asking, "input", typed, raising=False)
    return lines


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


def test_a_script_says_who_executed(ledger: PlanLedger, command: Command) -> None:
    folder = str(ledger.run_away())
    before = ledger.written()
    for arguments, says in (
        ((), "Give --executor own, supplier or third-party"),
        (("--executor", "supplier"), "Give its name with --organisation"),
        (("--executor", "us"), "--executor: got us"),
    ):
        done = command("bench", "take", folder, *arguments)
        assert done.code == 2
        assert says in done.err
        assert len(done.err.splitlines()) == 1
    assert ledger.written() == before
    done = command("bench", "take", folder, "--executor", "own")
    assert (done.code, done.out) == (0, f"{RUN}\n")
    assert ledger.open().runs.run(RUN).executor.organisation == "Test Works"
    assert command("verify", RUN).code == 0


def test_somebody_at_the_terminal_is_asked(ledger: PlanLedger, command: Command, answers: list[str]) -> None:
    folder = str(ledger.run_away())
    answers += ["them", "third-party", "", "Test Lab"]
    assert command("bench", "take", folder).code == 0
    executor = ledger.open().runs.run(RUN).executor
    assert (executor.relation, executor.organisation) == ("third-party", "Test Lab")


def test_leaving_the_question_writes_nothing(ledger: PlanLedger, command: Command, answers: list[str]) -> None:
    folder = str(ledger.run_away())
    before = ledger.written()
    done = command("bench", "take", folder)
    assert (done.code, ledger.written()) == (2, before)


def test_a_run_that_is_refused_is_refused_before_anybody_is_asked(ledger: PlanLedger, command: Command, answers: list[str]) -> None:
    shutil.rmtree(ledger.run_away())
    answers += ["own"]
    assert command("bench", "take", str(ledger.box)).code == 2
    assert answers == ["own"]


def test_a_part_says_how_to_finish_it(ledger: PlanLedger, command: Command) -> None:
    folder = str(ledger.run_away())
    lines = ledger.journal.read_bytes().splitlines(keepends=True)
    ledger.journal.write_bytes(b"".join(lines[:-4]))
    done = command("bench", "take", folder, "--executor", "own")
    assert (done.code, done.out) == (1, f"{RUN}\n")
    assert f"python3 {PLAN}.pyz resume" in done.err
