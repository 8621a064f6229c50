"""The repository around a ledger: none, unborn, on a branch, detached, shallow."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.store.git.repository import Head, head_of, is_unborn, open_repository

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


@pytest.fixture
def repository(ledger_folder: "LedgerFolder") -> "LedgerFolder":
    """A ledger in a repository with one commit."""
    ledger_folder.git("init", "-q", "-b", "main")
    ledger_folder.git("add", ".")
    ledger_folder.git("commit", "-qm", "one")
    return ledger_folder


def test_outside_a_repository_there_is_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert open_repository(tmp_path) is None
    assert head_of(tmp_path) is None
    assert not is_unborn(tmp_path)


def test_before_the_first_commit_nothing_can_have_landed(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.git("init", "-q")
    assert is_unborn(ledger_folder.root)
    assert head_of(ledger_folder.root) is None


def test_the_head_is_the_commit_on_its_branch(repository: "LedgerFolder") -> None:
    commit = repository.git("rev-parse", "HEAD").strip()
    assert head_of(repository.root) == Head(commit, "main", shallow=False)
    assert not is_unborn(repository.root)


def test_a_detached_and_a_shallow_head_say_so(repository: "LedgerFolder", tmp_path: Path) -> None:
    repository.git("commit", "-q", "--allow-empty", "-m", "two")
    commit = repository.git("rev-parse", "HEAD").strip()
    repository.git("clone", "-q", "--depth", "1", f"file://{repository.root}", str(tmp_path / "clone"))
    assert str(head_of(tmp_path / "clone")) == f"commit {commit[:12]}, main, shallow history"
    repository.git("checkout", "-q", "--detach")
    assert head_of(repository.root) == Head(commit, None, shallow=False)
    assert str(head_of(repository.root)) == f"commit {commit[:12]}, detached"


def test_a_folder_inside_finds_the_repository_around(repository: "LedgerFolder") -> None:
    (repository.root / "records" / "claims").mkdir(parents=True)
    found = open_repository(repository.root / "records" / "claims")
    assert found is not None
    assert Path(str(found.working_tree_dir)).resolve() == repository.root.resolve()
