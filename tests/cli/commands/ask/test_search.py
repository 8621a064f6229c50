"""`ledger search TEXT`: rows with state and place, phrases of a shell, and kinds that do not exist."""

from typing import TYPE_CHECKING

import pytest

from ledger.cli.commands.ask.search import search_text
from tests.cli.conftest import ids, rows_of

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["prompt", "lookup"], "prompt lookup"),
        (["prompt lookup"], "prompt lookup"),
        (["prompt lookup", "helps"], '"prompt lookup" helps'),
        (['"prompt lookup"', "helps"], '"prompt lookup" helps'),
    ],
)
def test_one_argument_is_words_and_one_of_several_is_a_phrase(words: list[str], text: str) -> None:
    assert search_text(words) == text


def test_rows_say_state_and_place(filled: "LedgerFolder", command: "Command") -> None:
    [row] = rows_of(command, "search", "gain of")
    assert (row["id"], row["kind"], row["label"], row["state"]) == ("gain", "claim", "vendor-claimed", "superseded")
    assert row["path"] == "records/claims/gain.toml"
    assert "gain" in row["snippet"]


def test_kind_and_limit_narrow(filled: "LedgerFolder", command: "Command") -> None:
    assert set(ids(command, "search", "demo", "--kind", "cost")) == {"box", "box-3-years", "box-1-year"}
    assert len(ids(command, "search", "demo", "--limit", "1")) == 1
    done = command("search", "demo", "--kind", "price")
    assert (done.code, done.err.startswith("--kind: price is no kind of record. Use one of source, claim")) == (2, True)
