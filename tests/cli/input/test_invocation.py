"""The ledger and the day that a command works on."""

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from ledger.cli.input.invocation import read_as_of, today, warn_of_unread
from ledger.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_a_day_is_read_and_none_is_today() -> None:
    assert read_as_of(None) == today()
    assert str(read_as_of("2025-02-28")) == "2025-02-28"


def test_a_day_to_come_is_asked_of_announcements_alone() -> None:
    tomorrow = today() + timedelta(days=1)
    with pytest.raises(UsageError, match=f"--as-of: {tomorrow} lies in the future"):
        read_as_of(str(tomorrow))
    assert read_as_of(str(tomorrow), announced=True) == tomorrow
    with pytest.raises(UsageError, match='--as-of: got "soon"'):
        read_as_of("soon", announced=True)


def test_the_folder_named_is_worked_on_from_anywhere(
    filled: "LedgerFolder", command: "Command", tmp_path: "Path", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert command("claims").code == 2
    assert command("--ledger", str(filled.root / "records"), "claims").code == 0
    assert str(filled.root) in command("--ledger", str(filled.root), "doctor").out
    assert command("claims").code == 2  # the folder of one start says nothing to the next


@pytest.mark.parametrize(
    ("names", "says"),
    [("a", "records/a.toml"), ("abcde", "records/a.toml, records/b.toml, records/c.toml and 2 more")],
)
def test_files_with_faults_are_named_up_to_three(
    names: str, says: str, ledger_folder: "LedgerFolder", capsys: pytest.CaptureFixture[str]
) -> None:
    for name in names:
        ledger_folder.write(f"records/{name}.toml", "[[claim]]\n")
    warn_of_unread(ledger_folder.open())
    assert capsys.readouterr().err == f"warning: records in {says} have faults and are left out. Run `ledger check`.\n"


def test_a_sound_ledger_warns_of_nothing(filled: "LedgerFolder", capsys: pytest.CaptureFixture[str]) -> None:
    warn_of_unread(filled.open())
    assert capsys.readouterr().err == ""
