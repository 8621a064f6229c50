"""What is said of records that were written: paths from where one stands, warnings, files that took no part."""

from pathlib import Path

import pytest

from ledger.cli.commands.write.written import print_written
from ledger.errors import Problem
from ledger.store.append.write_records import Written


def test_paths_are_told_from_here_where_they_lie_below(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    print_written(Written((tmp_path / "records/a.toml", Path("/elsewhere/b.toml")), ("a", "b")))
    printed = capsys.readouterr()
    assert printed.out == "records/a.toml\n/elsewhere/b.toml\n"
    assert printed.err == "2 records written.\n"


def test_warnings_and_unread_files_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    warning = Problem("LEDG042", "comparative.", "Name with what.", "a.toml", severity="warning")
    print_written(Written((Path("/x/a.toml"),), ("a",), (warning,), tuple("abcd")))
    printed = capsys.readouterr()
    assert printed.out == "/x/a.toml\n"
    assert printed.err.splitlines() == [
        str(warning),
        "warning: a, b, c cannot be read and took no part in the check. Run `ledger check`.",
    ]
