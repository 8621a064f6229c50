"""Who writes is who git says, and nobody where git says nothing."""

from typing import TYPE_CHECKING

import pytest

from ledger.store.git.identity import author_of_file, git_user

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


@pytest.fixture(autouse=True)
def _no_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/nonexistent")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.delenv("GIT_AUTHOR_NAME", raising=False)


def test_nobody_is_made_up(ledger_folder: "LedgerFolder") -> None:
    assert git_user(ledger_folder.root) is None
    ledger_folder.git("init", "-q")
    assert git_user(ledger_folder.root) is None


def test_the_repositorys_name_holds_and_the_environments_goes_before_it(
    ledger_folder: "LedgerFolder", monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger_folder.git("init", "-q")
    ledger_folder.git("config", "user.name", "C. Onfigured")
    assert git_user(ledger_folder.root) == "C. Onfigured"
    monkeypatch.setenv("GIT_AUTHOR_NAME", "  E. Nvironment ")
    assert git_user(ledger_folder.root) == "E. Nvironment"
    monkeypatch.setenv("GIT_AUTHOR_NAME", "  ")
    assert git_user(ledger_folder.root) == "C. Onfigured"


def test_a_file_was_added_by_the_author_of_its_first_commit(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add_page()
    assert author_of_file(ledger_folder.root, "records/sources/page.toml") is None
    ledger_folder.git("init", "-q")
    assert author_of_file(ledger_folder.root, "records/sources/page.toml") is None
    ledger_folder.git("add", ".")
    ledger_folder.git("commit", "-qm", "one", "--author", "F. Irst <f@example.invalid>")
    ledger_folder.add_page(title="Another")
    ledger_folder.git("commit", "-qam", "two", "--author", "S. Econd <s@example.invalid>")
    assert author_of_file(ledger_folder.root, "records/sources/page.toml") == "F. Irst"
    assert author_of_file(ledger_folder.root, "records/sources/none.toml") is None
