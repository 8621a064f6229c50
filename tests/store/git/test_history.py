"""The first-parent commits of the main branch, and the record files that each brought."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.errors import EnvironmentFaultError, UsageError
from ledger.store.files.settings import Settings
from ledger.store.git.history import History

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

SETTINGS = Settings(organisation="Test Works")


@pytest.fixture
def works(ledger_folder: "LedgerFolder", monkeypatch: pytest.MonkeyPatch) -> "LedgerFolder":
    """A ledger in git with a source; the commit's instant is known."""
    ledger_folder.git("init", "-q", "-b", "main")
    ledger_folder.add_page()
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2025-05-01T10:00:00+02:00")
    commit(ledger_folder)
    return ledger_folder


def commit(folder: "LedgerFolder") -> str:
    """Commit everything and return the commit."""
    folder.git("add", "-A")
    folder.git("commit", "-qm", "a step")
    return folder.git("rev-parse", "HEAD").strip()


def paths(history: History, after: str | None = None) -> list[list[tuple[str, bool]]]:
    """Of each landing the files, and whether they are there after it."""
    return [[(change.path, change.blob is not None) for change in landing.changes] for landing in history.landings(after)]


def test_a_landing_has_its_record_files_and_its_instant_in_utc(works: "LedgerFolder") -> None:
    [landing] = History(works.root, SETTINGS).landings()
    assert landing.committed_at == datetime(2025, 5, 1, 8, tzinfo=UTC)
    assert landing.commit == works.git("rev-parse", "HEAD").strip()
    assert [change.path for change in landing.changes] == ["records/sources/page.toml"]  # ledger.toml is no record
    blob = landing.changes[0].blob
    assert blob is not None
    assert History(works.root, SETTINGS).content(blob) == (works.root / "records/sources/page.toml").read_bytes()


def test_later_landings_hold_what_was_removed_and_added(works: "LedgerFolder") -> None:
    first = works.git("rev-parse", "HEAD").strip()
    (works.root / "records/sources/page.toml").rename(works.root / "records/sources/moved.toml")
    works.write("records/evidence/run/traces.toml", "")
    works.write("records/claims/.hidden.toml", "")
    works.write("notes.toml", "")
    commit(works)
    moved = [("records/sources/moved.toml", True), ("records/sources/page.toml", False)]
    assert paths(History(works.root, SETTINGS), after=first) == [moved]


def test_a_merge_is_one_landing_with_all_that_its_branch_brought(works: "LedgerFolder") -> None:
    works.git("checkout", "-q", "-b", "side")
    works.add("claim", "one")
    commit(works)
    works.add("claim", "two")
    commit(works)
    works.git("checkout", "-q", "main")
    works.git("merge", "-q", "--no-ff", "-m", "join", "side")
    assert [len(files) for files in paths(History(works.root, SETTINGS))] == [1, 2]


def test_a_ledger_below_the_top_of_its_repository_has_paths_of_its_own(works: "LedgerFolder") -> None:
    works.write("inner/records/sources/deep.toml", "")
    commit(works)
    assert paths(History(works.root / "inner", SETTINGS)) == [[], [("records/sources/deep.toml", True)]]


def test_commits_are_resolved_and_missing_ones_are_told(works: "LedgerFolder") -> None:
    history, head = History(works.root, SETTINGS), works.git("rev-parse", "HEAD").strip()
    assert history.resolve_commit(head[:10]) == head
    assert history.has_commit(head)
    assert not history.has_commit("ab" * 20)
    with pytest.raises(UsageError, match="a commit of main"):
        history.resolve_commit("abababab")


def test_the_main_branch_may_be_the_fetched_one(works: "LedgerFolder", tmp_path: Path) -> None:
    head = works.git("rev-parse", "HEAD").strip()
    works.git("clone", "-q", str(works.root), str(tmp_path / "clone"))
    clone = type(works)(tmp_path / "clone")
    clone.git("checkout", "-q", "-b", "work")
    clone.git("branch", "-q", "-D", "main")
    assert History(clone.root, SETTINGS).tip == head
    with pytest.raises(EnvironmentFaultError, match="no branch trunk"):
        _ = History(clone.root, SETTINGS.model_copy(update={"main_branch": "trunk"})).tip


def test_a_shallow_history_is_refused(works: "LedgerFolder", tmp_path: Path) -> None:
    History(works.root, SETTINGS).refuse_shallow()
    works.add("claim", "one")
    commit(works)
    works.git("clone", "-q", "--depth", "1", f"file://{works.root}", str(tmp_path / "clone"))
    with pytest.raises(EnvironmentFaultError, match="--unshallow"):
        History(tmp_path / "clone", SETTINGS).refuse_shallow()
