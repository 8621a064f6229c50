"""The types named for annotations are those that a ledger's methods return."""

from typing import TYPE_CHECKING, get_args

from ledger.api import results
from ledger.store.index.views import VIEWS

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


def test_answers_matches_and_logs_have_the_types_named(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add_page(title="Prompt lookup")
    ledger = ledger_folder.open()
    [answer] = ledger.queries.answers("source")
    [match] = ledger.search("lookup")
    log = ledger.queries.log("page")
    assert (type(answer), type(match), type(log), type(log.records[0])) == (
        results.Answer,
        results.SearchMatch,
        results.Log,
        results.LogEntry,
    )


def test_a_workbook_knows_every_type_of_column() -> None:
    assert {column.type for view in VIEWS for column in view.columns} <= {*get_args(results.ColumnType)}
