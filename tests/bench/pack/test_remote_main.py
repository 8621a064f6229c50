"""The pack at work on another machine: its commands, refusals and exit codes."""

from pathlib import Path

import pytest

from ledger.bench.pack.remote_main import Machine, main
from tests.bench.journal.journal_fixtures import chain_again
from tests.bench.plan_ledger import PlanLedger
from tests.bench.virtual_time import VirtualClock


@pytest.fixture
def ledger(tmp_path: Path) -> PlanLedger:
    """A ledger whose plan has landed."""
    return PlanLedger(tmp_path / "works")


def test_a_cut_off_pack_is_refused(ledger: PlanLedger, capsys: pytest.CaptureFixture[str]) -> None:
    path = ledger.pack()
    path.write_bytes(path.read_bytes()[:-100])
    assert main(str(path), ["plan"]) == 4
    assert "no whole pack" in capsys.readouterr().err


def test_a_second_run_in_a_folder_and_a_run_of_another_plan_are_refused(ledger: PlanLedger, capsys: pytest.CaptureFixture[str]) -> None:
    ledger.run_away()
    assert ledger.away("run") == 4
    assert "holds a run already" in capsys.readouterr().err
    ledger.journal.write_text(ledger.journal.read_text().replace("m1:", "m1:0", 1))
    chain_again(ledger.journal)
    assert ledger.away("resume") == 4
    assert "another plan" in capsys.readouterr().err
    ledger.journal.unlink()
    assert ledger.away("resume") == 2
    assert "no run to go on with" in capsys.readouterr().err


def test_ctrl_c_says_how_to_go_on(ledger: PlanLedger, capsys: pytest.CaptureFixture[str]) -> None:
    def stopped(*_: object) -> object:
        raise KeyboardInterrupt

    path = ledger.pack()
    code = main(str(path), ["run", "--model", ".", "--out", str(ledger.box)], Machine(VirtualClock(), stopped))  # type: ignore[arg-type]  # makes no engine
    assert code == 130
    assert "resume" in capsys.readouterr().err


def test_what_a_machine_lacks_is_said_in_one_line(ledger: PlanLedger, capsys: pytest.CaptureFixture[str]) -> None:
    def lacking(*_: object) -> object:
        raise ModuleNotFoundError("No module named 'psutil'", name="psutil")

    code = main(str(ledger.pack()), ["run", "--model", ".", "--out", str(ledger.box)], Machine(VirtualClock(), lacking))  # type: ignore[arg-type]  # it only ever raises
    assert code == 3
    [line] = capsys.readouterr().err.splitlines()
    assert "psutil" in line
