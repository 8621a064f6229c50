"""Read-only SQL over the stable views: what it answers, and everything it refuses."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.errors import UsageError
from ledger.store.index.sql_select import select

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from tests.claim_fixtures import Ask
    from tests.conftest import LedgerFolder


Rows = Callable[..., list[dict[str, Any]]]

REFUSED = [
    "DELETE FROM claims",
    "UPDATE quantity SET low = 1",
    "INSERT INTO printed VALUES ('a', 'b')",
    "DROP VIEW claims",
    "CREATE TABLE t (a)",
    "CREATE TEMP TABLE t (a)",
    "SELECT 1; DELETE FROM quantity",
    "ATTACH 'other.sqlite' AS other",
    "PRAGMA query_only = OFF",
    "SELECT * FROM pragma_database_list",
    "SELECT data FROM recordrow",
    "WITH r AS (SELECT data FROM recordrow) SELECT * FROM r",
    "SELECT (SELECT data FROM recordrow LIMIT 1) FROM claims",
    "SELECT * FROM fulltext",
    "SELECT load_extension('evil')",
    "VACUUM INTO 'copy.sqlite'",
    "REINDEX",
    "BEGIN",
    "EXPLAIN DELETE FROM quantity",
    "SELECT nonsense FROM claims",
    "SELEC 1",
    "",
    "SELECT 1 AS a, 2 AS a",
]


@pytest.mark.parametrize("statement", REFUSED)
def test_refused_in_one_line(statement: str, tested: "LedgerFolder", ask: "Ask") -> None:
    assert ask("claims")[0] == 0
    before = state(tested.root)
    code, out, err = ask("sql", statement)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert state(tested.root) == before
    with tested.open().files.connect() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        held = list(driver.iterdump())
        with pytest.raises(UsageError):
            select_uniquely(connection, statement)
        assert list(driver.iterdump()) == held
    assert json.loads(ask("sql", "SELECT count(*) AS n FROM claims", "--format", "json")[1]) == [{"n": 2}]


def select_uniquely(connection: "Connection", statement: str) -> None:
    """Read as the command does, which asks for a name of its own for each column."""
    names, _rows = select(connection, statement, list)
    if len(set(names)) < len(names):
        raise UsageError(statement)


def state(root: Path) -> dict[str, str]:
    """Every file with its hash, but for the index, which may be made anew at any time."""
    files = [path for path in sorted(root.rglob("*")) if path.is_file()]
    return {
        str(path.relative_to(root)): "" if path.suffix == ".sqlite" else hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }


def test_recorded_days_can_be_joined(tested: "LedgerFolder", rows: Rows) -> None:
    statement = "SELECT c.id, r.recorded_on FROM claims c JOIN recorded r ON r.id = c.id AND r.meaning = c.meaning"
    assert {row["recorded_on"] for row in rows("sql", statement)} == {"unknown"}


def test_what_the_ledger_knew_then(tested: "LedgerFolder", rows: Rows) -> None:
    tested.git("init", "-q", "-b", "main")
    tested.git("add", "-A")
    tested.git("commit", "-qm", "first")
    tested.add("claim", "newest")
    assert rows("sql", "SELECT count(*) AS n FROM claims") == [{"n": 3}]
    assert rows("sql", "SELECT count(*) AS n FROM claims", "--known-at", "main") == [{"n": 2}]
