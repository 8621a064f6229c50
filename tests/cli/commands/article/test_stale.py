"""`ledger article stale`: as findings for people, as rows for programs, with the exit code of both."""

from typing import TYPE_CHECKING

from tests.cli.conftest import strict
from tests.cli.draft_fixtures import HEAD

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_a_superseded_citation_is_a_finding_and_a_row(filled: "LedgerFolder", command: "Command") -> None:
    filled.write("records/articles/draft.md", HEAD.replace("2025-06-01", "2025-02-01") + "They say [@gain#gain].\n")
    done = command("article", "stale", "draft", "--as-of", "2025-06-01")
    assert done.code == 1
    assert done.out.startswith("records/articles/draft.md:9:10: warning: gain: superseded by a change: New release.")
    assert done.err == "1 stale citation(s) as of 2025-06-01.\n"
    listed = command("article", "stale", "--as-of", "2025-06-01", "--format", "json")
    [row] = strict(listed.out)
    assert (listed.code, row["article"], row["record"], row["reason"], row["old"]) == (
        1,
        "draft",
        "gain",
        "superseded by a change",
        "up to 2.8x",
    )


def test_what_the_document_tells_itself_needs_all(filled: "LedgerFolder", command: "Command") -> None:
    filled.write("records/articles/draft.md", HEAD + "They say [@gain#gain].\n")
    done = command("article", "stale", "--as-of", "2025-06-01")
    assert (done.code, done.out) == (0, "")
    assert done.err == "0 stale citation(s) as of 2025-06-01; 1 more are told beside the citation (--all).\n"
    assert "superseded by a change" in command("article", "stale", "--all", "--as-of", "2025-06-01").out


def test_nothing_stale_ends_with_0(filled: "LedgerFolder", command: "Command") -> None:
    filled.write("records/articles/draft.md", HEAD + "They say so.\n")
    done = command("article", "stale", "--as-of", "2025-06-01")
    assert (done.code, done.out, done.err) == (0, "", "0 stale citation(s) as of 2025-06-01.\n")
