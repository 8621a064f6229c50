"""Full text: words, phrases, signs that mean nothing, rank and place."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from ledger.errors import UsageError
from ledger.store.index.fulltext import match_expression

if TYPE_CHECKING:
    from tests.claim_fixtures import Ask
    from tests.conftest import LedgerFolder

Rows = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def library(ledger_folder: "LedgerFolder") -> "LedgerFolder":
    """Claims about drafts, and the page they come from."""
    ledger_folder.add_page(title="Prompt lookup in production")
    ledger_folder.add("claim", "drafts-help", statement="Prompt lookup helps where the answer repeats the prompt.")
    ledger_folder.add("claim", "drafts-hurt", statement="Where nothing repeats, lookup costs time.", caveats=["Measured on a café menu."])
    return ledger_folder


def test_every_word_must_occur(library: "LedgerFolder", rows: Rows) -> None:
    assert {row["id"] for row in rows("search", "lookup")} == {"page", "drafts-help", "drafts-hurt"}
    assert [row["id"] for row in rows("search", "lookup costs")] == ["drafts-hurt"]
    assert [row["id"] for row in rows("search", '"answer repeats"')] == ["drafts-help"]
    assert rows("search", '"repeats answer"') == []
    assert [row["id"] for row in rows("search", "CAFE")] == ["drafts-hurt"]
    assert [row["kind"] for row in rows("search", "lookup", "--kind", "source")] == ["source"]
    assert "costs" in rows("search", "costs")[0]["snippet"]


@pytest.mark.parametrize(
    "words", ["OR", "lookup NOT costs", "look*", "costs)", "id:page", "a NEAR b", "^lookup", "{x}", "--flag", "'; DROP TABLE fulltext; --"]
)
def test_signs_are_literal(words: str, library: "LedgerFolder", ask: "Ask") -> None:
    code, _out, err = ask("search", "--", words)
    assert (code, "Traceback" in err) == (0, False)


def test_operators_are_words(library: "LedgerFolder", rows: Rows) -> None:
    assert rows("search", "lookup OR nonsense") == []


def test_a_text_without_a_word_is_refused(ask: "Ask", library: "LedgerFolder") -> None:
    assert ask("search", "*()")[0] == 2
    with pytest.raises(UsageError):
        match_expression('""')


def test_the_past_is_searched_too(library: "LedgerFolder", rows: Rows) -> None:
    library.git("init", "-q", "-b", "main")
    library.git("add", "-A")
    library.git("commit", "-qm", "first")
    library.add("claim", "newest", statement="Lookup again.")
    assert "newest" in [row["id"] for row in rows("search", "lookup")]
    assert "newest" not in [row["id"] for row in rows("search", "lookup", "--known-at", "main")]
