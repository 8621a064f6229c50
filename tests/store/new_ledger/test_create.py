"""A new ledger in a folder: what is there stays, and a second one is refused."""

from pathlib import Path

import pytest

from ledger.api import Ledger
from ledger.errors import DataRefusedError, EnvironmentFaultError
from ledger.store.new_ledger.create import create_ledger


def test_a_new_ledger_opens_and_has_no_findings(tmp_path: Path) -> None:
    made = create_ledger(tmp_path / "works")
    assert made.root == (tmp_path / "works").resolve()
    assert made.written[-1] == "ledger.toml"
    assert made.kept == ()
    ledger = Ledger.open(made.root)
    assert ledger.settings.organisation == "works"
    assert ledger.check() == []
    assert (made.root / ".ledger-schema" / "ledger.schema.json").is_file()


def test_a_file_that_was_there_stays(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("mine\n")
    made = create_ledger(tmp_path, 'A "quoted" name')
    assert made.kept == (".gitignore",)
    assert ".gitignore" not in made.written
    assert (tmp_path / ".gitignore").read_text() == "mine\n"
    assert Ledger.open(tmp_path).settings.organisation == 'A "quoted" name'


def test_a_second_ledger_in_a_folder_is_refused(tmp_path: Path) -> None:
    create_ledger(tmp_path)
    before = (tmp_path / "ledger.toml").read_bytes()
    with pytest.raises(DataRefusedError, match="holds a ledger already"):
        create_ledger(tmp_path, "Another")
    assert (tmp_path / "ledger.toml").read_bytes() == before


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentFaultError, match="cannot be written"):
        create_ledger(tmp_path / "file" / "inner")
