"""Read-only SQL over the stable views: what it answers, and everything it refuses."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.errors import UsageError
from ledger.store.index.sql_select import select
from ledger.store.index.views import VIEWS

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from tests.claim_fixtures import Ask
    from tests.conftest import LedgerFolder

Rows = Callable[..., list[dict[str, Any]]]
DOCS = Path(__file__).resolve().parents[2] / "docs" / "sql.md"


def test_claims_and_their_numbers(tested: "LedgerFolder", rows: Rows) -> None:
    found = rows(
        "sql",
        "SELECT c.id, c.relation, c.statement, q.low, q.bound, q.interval FROM claims c JOIN quantities q ON q.claim = c.id ORDER BY 1",
    )
    assert found == [
        {"id": "vendor-up-to", "relation": "supplier", "statement": "It gave up to 3.1x.", "low": "3.1", "bound": "up-to", "interval": 0},
        {"id": "we-measured", "relation": "own", "statement": "We saw 1.60x.", "low": "1.5", "bound": "exactly", "interval": 1},
    ]


def test_decimals_stay_exact(ledger_folder: "LedgerFolder", rows: Rows) -> None:
    ledger_folder.add_page()
    ledger_folder.add("cost", "long", amount="2.000000000000000000000000007")
    ledger_folder.add("cost", "none", item="demo/none", amount="unknown")
    found = {row["id"]: row["amount"] for row in rows("sql", "SELECT id, amount FROM costs")}
    assert found == {"long": "2.000000000000000000000000007", "none": None}


def test_every_view_answers(tested: "LedgerFolder", rows: Rows) -> None:
    tested.add("cost", "price", conflicts_with=["other-price"])
    tested.add("cost", "other-price", item="demo/other")
    tested.add("review", "checked", target="vendor-up-to")
    for view in VIEWS:
        [first, *_] = rows("sql", f"SELECT * FROM {view.name}")
        assert list(first) == [column.name for column in view.columns]
    assert rows("sql", "SELECT target, lapsed FROM reviews") == [{"target": "vendor-up-to", "lapsed": 1}]


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
    assert json.loads(ask("sql", "SELECT count(*) AS n FROM claims", "--format", clock="json")[1]) == [{"n": 2}]


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


def test_lists_inside_fields_can_be_opened(tested: "LedgerFolder", rows: Rows) -> None:
    found = rows("sql", "SELECT j.value FROM quantities q, json_each(q.conditions, '$.model') j WHERE q.claim = 'vendor-up-to'")
    assert found == [{"value": "demo"}]


def test_what_the_ledger_knew_then(tested: "LedgerFolder", rows: Rows) -> None:
    tested.git("init", "-q", "-b", "main")
    tested.git("add", "-A")
    tested.git("commit", "-qm", "first")
    tested.add("claim", "newest")
    assert rows("sql", "SELECT count(*) AS n FROM claims") == [{"n": 3}]
    assert rows("sql", "SELECT count(*) AS n FROM claims", "--known-at", "main") == [{"n": 2}]


def test_the_documentation_lists_every_column() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for view in VIEWS:
        section = text.split(f"## {view.name}\n", 1)[1].split("\n## ", 1)[0]
        listed = [line for line in section.splitlines() if line.startswith("| `")]
        assert listed == [f"| `{column.name}` | {column.type} | {column.holds} |" for column in view.columns]
