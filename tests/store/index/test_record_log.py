"""The whole line of a record, with when, in which commit and by whom; with and without a history."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


@pytest.fixture
def line_folder(page_folder: "LedgerFolder") -> "LedgerFolder":
    """`drafts`, superseded by `second` and that by `third`; a review of `second`; each in a commit of its own."""
    page_folder.git("init", "-q")
    commit(page_folder, "2025-01-10T10:00:00Z")
    page_folder.add("claim", "second", locator="b", supersedes=link("drafts", "correction"), author="B. Eta")
    commit(page_folder, "2025-02-10T10:00:00Z")
    page_folder.add("review", "look", target="second")
    commit(page_folder, "2025-03-10T10:00:00Z")
    page_folder.add("claim", "third", locator="c", asserted_on="2025-04-01", supersedes=link("second", "change"))
    return page_folder


def link(record_id: str, because: str) -> dict[str, str]:
    return {"id": record_id, "because": because, "reason": f"Why {record_id} went."}


def commit(folder: "LedgerFolder", at: str) -> None:
    folder.git("add", ".")
    folder.git("-c", f"user.name=Committer {at[5:7]}", "commit", "-qm", "step", "--date", at)
    folder.git("-c", "user.name=T", "rev-parse", "HEAD")


def rows(folder: "LedgerFolder", record_id: str) -> list[tuple[Any, ...]]:
    found = folder.open().queries.log(record_id)
    return [
        (one.entry.record.id, one.landed.author if one.landed else None, [o.entry.record.id for o in one.about]) for one in found.records
    ]


@pytest.mark.parametrize("asked", ["drafts", "second", "third"])
def test_the_whole_line_is_told_from_any_record_of_it(asked: str, line_folder: "LedgerFolder") -> None:
    assert rows(line_folder, asked) == [("drafts", "Committer 01", []), ("second", "Committer 02", ["look"]), ("third", None, [])]


def test_what_has_not_landed_is_unrecorded(line_folder: "LedgerFolder") -> None:
    done = line_folder.run("log", "third")
    assert done.returncode == 0, done.stderr
    assert "* third" in done.stdout
    assert "unrecorded" in done.stdout.split("* third")[1]
    assert "written by B. Eta" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_without_a_repository_it_still_tells_the_line(page_folder: "LedgerFolder") -> None:
    done = page_folder.run("log", "drafts", GIT_CEILING_DIRECTORIES=str(page_folder.root.parent))
    assert (done.returncode, "no history here" in done.stdout) == (0, True)
    assert "in no git repository" in done.stderr


def test_a_shallow_clone_says_so(line_folder: "LedgerFolder", tmp_path: Path) -> None:
    commit(line_folder, "2025-04-10T10:00:00Z")
    line_folder.git("clone", "-q", "--depth", "1", f"file://{line_folder.root}", str(tmp_path / "clone"))
    clone = type(line_folder)(tmp_path / "clone")
    done = clone.run("log", "second")
    assert (done.returncode, "no history here" in done.stdout) == (0, True)
    assert "git fetch --unshallow" in done.stderr


def test_a_detached_head_hinders_nothing(line_folder: "LedgerFolder") -> None:
    line_folder.git("checkout", "-q", "--detach")
    assert rows(line_folder, "drafts")[0] == ("drafts", "Committer 01", [])
