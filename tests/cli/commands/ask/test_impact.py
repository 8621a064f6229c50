"""`ledger impact ID`: records that rest on it with their places, then sentences of drafts."""

from typing import TYPE_CHECKING

from tests.cli.conftest import rows_of
from tests.cli.draft_fixtures import HEAD

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_a_page_reaches_claims_and_the_sentence_that_cites_one(filled: "LedgerFolder", command: "Command") -> None:
    filled.write("records/articles/draft.md", HEAD + "They say [@gain#gain].\n")
    rows = rows_of(command, "impact", "page")
    first = next(row for row in rows if row["id"] == "gain")
    assert (first["kind"], first["how"], first["steps"]) == ("claim", "source names page", 1)
    assert first["place"] == "records/claims/gain.toml:7"
    assert (rows[-1]["id"], rows[-1]["kind"], rows[-1]["how"], rows[-1]["place"]) == (
        "draft",
        "article",
        "cites gain#gain",
        "records/articles/draft.md:9:10",
    )


def test_what_nothing_rests_on_has_no_rows(filled: "LedgerFolder", command: "Command") -> None:
    assert rows_of(command, "impact", "box") == []


def test_an_unknown_id_ends_with_2(filled: "LedgerFolder", command: "Command") -> None:
    done = command("impact", "gian")
    assert (done.code, done.err) == (2, "gian: no such record. Did you mean gain?\n")
