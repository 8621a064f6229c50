"""`ledger review ID...`: what is refused, and what happens without a name in git."""

from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import NO_GIT_NAME

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


CLAIM = ("add", "claim", "--label", "vendor-claimed", "--side", "technical", "--subject", "demo/ngram")


def test_an_aspect_that_does_not_exist_is_refused(page_folder: "LedgerFolder", command: "Command") -> None:
    done = command("review", "drafts", "--verdict", "accepted", "--aspect", "spelling", "--reviewer", "R")
    assert done.code == 4
    assert '"spelling"' in done.err


class TestDetachedHeadWithoutIdentity:
    """C38: detached HEAD, no name in git."""

    @pytest.fixture
    def detached(self, page_folder: "LedgerFolder") -> "LedgerFolder":
        page_folder.git("init", "-q")
        page_folder.git("add", ".")
        page_folder.git("commit", "-qm", "one")
        page_folder.git("checkout", "-q", "--detach")
        page_folder.add("claim", "untracked", statement="Later.")
        return page_folder

    def test_reading_works_and_a_build_would_name_the_commit(self, detached: "LedgerFolder") -> None:
        for command in (("claims", "--as-of", "2025-02-01"), ("check",), ("show", "drafts"), ("log", "drafts"), ("doctor",)):
            done = detached.run(*command, **NO_GIT_NAME)
            assert (done.returncode, "Traceback" in done.stderr) == (0, False), (command, done.stderr)
        assert "detached" in detached.run("doctor", **NO_GIT_NAME).stdout

    def test_a_review_stops_with_one_line_and_touches_nothing(self, detached: "LedgerFolder") -> None:
        before = {path: path.read_bytes() for path in detached.root.rglob("*") if path.is_file() and ".ledger" not in path.parts}
        done = detached.run("review", "untracked", "--verdict", "accepted", "--aspect", "locator", **NO_GIT_NAME)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (3, "", 1)
        for words in ("user.name", "user.email", "--reviewer"):
            assert words in done.stderr
        after = {path: path.read_bytes() for path in detached.root.rglob("*") if path.is_file() and ".ledger" not in path.parts}
        assert after == before

    def test_adding_works_and_invents_no_author(self, detached: "LedgerFolder") -> None:
        done = detached.run(*CLAIM, "--id", "new", "--statement", "S", "--source", "page", "--locator", "l", **NO_GIT_NAME)
        assert done.returncode == 0, done.stderr
        assert "author" not in (detached.root / "records/claims/new.toml").read_text()
