"""`ledger source capture ID` from a file: days, and what is said."""

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


@pytest.fixture
def saved(ledger_folder: "LedgerFolder", tmp_path: Path) -> Path:
    """A page that was saved; the ledger has its source."""
    ledger_folder.add_page()
    path = tmp_path / "page.html"
    path.write_text("<p>One.</p>", encoding="utf-8")
    return path


def test_a_saved_file_is_captured_with_its_day(saved: Path, ledger_folder: "LedgerFolder", command: "Command") -> None:
    done = command("source", "capture", "page", str(saved), "--date", "2025-03-04")
    digest = sha256(saved.read_bytes()).hexdigest()
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0].startswith(f"page: captured 2025-03-04, sha256 {digest}, text/html")
    assert "retrieved_at = 2025-03-04" in (ledger_folder.root / "records/sources/page.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("day", "says"),
    [
        ("2025-3-4", '--date: got "2025-3-4", expected a day as YYYY-MM-DD.'),
        ("2199-01-01", "--date: 2199-01-01 lies in the future. Give the day on which the file was taken."),
    ],
)
def test_a_wrong_day_changes_nothing(day: str, says: str, saved: Path, ledger_folder: "LedgerFolder", command: "Command") -> None:
    before = (ledger_folder.root / "records/sources/page.toml").read_bytes()
    done = command("source", "capture", "page", str(saved), "--date", day)
    assert (done.code, done.out, done.err) == (2, "", f"{says}\n")
    assert (ledger_folder.root / "records/sources/page.toml").read_bytes() == before


def test_a_source_without_an_address_needs_a_file(saved: Path, command: "Command") -> None:
    done = command("source", "capture", "page")
    assert (done.code, done.err) == (2, "page: has no address. Name a file.\n")
