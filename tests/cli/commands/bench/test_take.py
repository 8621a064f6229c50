"""`ledger bench take DIR`: what is said, asked and refused."""

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
