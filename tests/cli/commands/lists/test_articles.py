"""`ledger articles`: drafts with the day that they speak of."""

from typing import TYPE_CHECKING

from tests.cli.conftest import ids, rows_of
from tests.cli.draft_fixtures import HEAD

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_side_and_order(ledger_folder: "LedgerFolder", command: "Command") -> None:
    ledger_folder.write("records/articles/fast.md", HEAD + "Text.\n")
    dear = HEAD.replace('side = "technical"', 'side = "pricing"').replace('type = "technical"', 'type = "pricing"')
    ledger_folder.write("records/articles/dear.md", dear.replace("2025-06-01", "2025-04-01") + "Text.\n")
    assert [(row["id"], row["as_of"]) for row in rows_of(command, "articles")] == [("dear", "2025-04-01"), ("fast", "2025-06-01")]
    assert ids(command, "articles", "--side", "technical") == ["fast"]
    assert ids(command, "articles", "--sort", "-as_of", "--limit", "1") == ["fast"]
