"""`ledger article lint`: errors end with 1, questions do not."""

from typing import TYPE_CHECKING

from tests.cli.draft_fixtures import HEAD

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_a_number_without_a_record_is_an_error_at_its_place(filled: "LedgerFolder", command: "Command") -> None:
    filled.write("records/articles/draft.md", HEAD + "It was 3x faster.\n")
    done = command("article", "lint", "draft")
    assert done.code == 1
    assert [line.split(" ")[0] for line in done.out.splitlines()] == ["records/articles/draft.md:9:4:", "records/articles/draft.md:9:8:"]
    assert done.err == "1 article(s) linted: 1 errors, 1 questions.\n"


def test_several_drafts_are_linted_at_once(filled: "LedgerFolder", command: "Command") -> None:
    for name in ("one", "two"):
        filled.write(f"records/articles/{name}.md", HEAD + "They say so.\n")
    done = command("article", "lint", "one", "two")
    assert (done.code, done.out, done.err) == (0, "", "2 article(s) linted: 0 errors, 0 questions.\n")
