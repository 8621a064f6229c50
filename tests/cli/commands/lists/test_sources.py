"""`ledger sources`: filters, and what a row says."""

from typing import TYPE_CHECKING

from tests.cli.conftest import ids, rows_of

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_a_row_says_when_it_was_last_read(filled: "LedgerFolder", command: "Command") -> None:
    filled.add_page("again", url="https://demo.example/q", captures=[{"retrieved_at": "2025-01-05"}, {"retrieved_at": "2025-03-07"}])
    rows = {row["id"]: row for row in rows_of(command, "sources")}
    assert (rows["page"]["last_seen"], rows["again"]["last_seen"]) == ("2025-01-05", "2025-03-07")
    assert rows["page"]["recorded_on"] == "unknown"


def test_publisher_relation_and_order(filled: "LedgerFolder", command: "Command") -> None:
    filled.add("source", "other", publisher="Another", relation="third-party")
    assert ids(command, "sources", "--publisher", "Another") == ["other"]
    assert ids(command, "sources", "--relation", "supplier") == ["page"]
    assert ids(command, "sources", "--sort", "-publisher") == ["page", "other"]
    assert ids(command, "sources", "--sort", "publisher", "--limit", "1") == ["other"]
