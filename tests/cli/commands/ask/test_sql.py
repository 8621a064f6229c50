"""`ledger sql [SELECT]`: the views and their columns, answers, and two columns of one name."""

from typing import TYPE_CHECKING

from tests.cli.conftest import rows_of

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_without_a_statement_the_columns_of_the_views_are_listed(filled: "LedgerFolder", command: "Command") -> None:
    rows = rows_of(command, "sql")
    assert {"view": "costs", "column": "low", "type": "decimal", "holds": "low end of a range"} in rows
    assert list(rows[0]) == ["view", "column", "type", "holds"]


def test_a_statement_is_answered_under_its_own_names(filled: "LedgerFolder", command: "Command") -> None:
    statement = "SELECT label, count(*) AS n FROM claims GROUP BY label ORDER BY label"
    assert rows_of(command, "sql", statement) == [{"label": "proposed", "n": 1}, {"label": "vendor-claimed", "n": 2}]
    assert command("sql", statement).out.splitlines()[-1] == "2 rows"


def test_two_columns_of_one_name_are_refused(filled: "LedgerFolder", command: "Command") -> None:
    done = command("sql", "SELECT 1 AS a, 2 AS a")
    assert (done.code, done.err) == (2, "sql: two columns are named a. Give one an alias with AS.\n")
