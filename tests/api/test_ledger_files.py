"""What a ledger consists of: its records, when they landed, and the commit it stands at."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.api.ledger_files import LedgerFiles
from ledger.errors import UsageError

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


def files_of(folder: "LedgerFolder") -> LedgerFiles:
    """The files of a ledger, read anew."""
    return LedgerFiles.at(folder.root, lambda: datetime(2025, 6, 1, tzinfo=UTC))


@pytest.fixture
def works(ledger_folder: "LedgerFolder", monkeypatch: pytest.MonkeyPatch) -> "LedgerFolder":
    """A ledger east of Greenwich whose source landed shortly before midnight there, UTC still on the day before."""
    ledger_folder.write("ledger.toml", 'organisation = "Test Works"\ntime_zone = "Europe/Berlin"\n')
    ledger_folder.add_page()
    ledger_folder.git("init", "-q", "-b", "main")
    ledger_folder.git("add", ".")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2025-05-01T22:30:00Z")
    ledger_folder.git("commit", "-qm", "one")
    return ledger_folder


def test_a_meaning_landed_on_a_day_of_the_ledgers_zone(works: "LedgerFolder") -> None:
    files = files_of(works)
    page = files.entry("page").record
    assert (files.recorded_on(page), files.is_landed(page), files.has_landed("page")) == ("2025-05-02", True, True)
    works.add_page(note="without a meaning")
    assert files_of(works).is_landed(files_of(works).entry("page").record)
    works.add_page(title="Another")
    changed = files_of(works)
    assert changed.recorded_on(changed.entry("page").record) == "unrecorded"
    assert not changed.is_landed(changed.entry("page").record)
    assert changed.has_landed("page")
    assert not changed.has_landed("other")


def test_outside_git_nothing_is_known(ledger_folder: "LedgerFolder", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(ledger_folder.root.parent))
    ledger_folder.add_page()
    files = files_of(ledger_folder)
    assert files.recorded is None
    assert files.head() is None
    assert files.recorded_on(files.entry("page").record) == "unknown"
    assert not files.has_landed("page")


def test_the_past_and_the_present_are_two_catalogues(works: "LedgerFolder") -> None:
    works.add("claim", "new")
    files = files_of(works)
    assert set(files.catalogue_at(None).by_id) == {"page", "new"}
    assert set(files.catalogue_at("main").by_id) == {"page"}


def test_reopened_files_see_what_was_written_since(works: "LedgerFolder") -> None:
    files = files_of(works)
    assert set(files.catalogue.by_id) == {"page"}
    works.add("claim", "new")
    assert set(files.catalogue.by_id) == {"page"}
    again = files.reopened()
    assert set(again.catalogue.by_id) == {"page", "new"}
    assert again.now() == files.now()


def test_an_id_that_two_files_use_names_both(works: "LedgerFolder") -> None:
    works.add("claim", "page")
    with pytest.raises(UsageError, match=r"page: used by records/claims/page\.toml and records/sources/page\.toml"):
        files_of(works).entry("page")


def test_without_a_ledger_there_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no ledger"):
        LedgerFiles.at(tmp_path, lambda: datetime(2025, 6, 1, tzinfo=UTC))
