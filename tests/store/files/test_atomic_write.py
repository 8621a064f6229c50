"""Files appear whole or not at all, are never overwritten, and one writer holds the lock at a time."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.errors import DataRefusedError, EnvironmentFaultError
from ledger.store.files.atomic_write import create_exclusively, writing_lock

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


def test_a_file_is_never_overwritten(tmp_path: Path) -> None:
    create_exclusively(tmp_path / "a.toml", b"first")
    with pytest.raises(DataRefusedError, match="exists already"):
        create_exclusively(tmp_path / "a.toml", b"second")
    assert (tmp_path / "a.toml").read_bytes() == b"first"
    assert [path.name for path in tmp_path.iterdir()] == ["a.toml"]


def test_a_writer_that_waits_too_long_says_busy(page_folder: "LedgerFolder") -> None:
    records = page_folder.root / "records"
    with writing_lock(records), pytest.raises(EnvironmentFaultError, match="busy"), writing_lock(records, wait_s=0.1):
        pytest.fail("two writers at once")


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentFaultError, match="cannot be written"):
        create_exclusively(tmp_path / "file" / "a.toml", b"")
