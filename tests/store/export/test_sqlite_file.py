"""A database holds the same rows as JSON."""

import json
import sqlite3
from typing import TYPE_CHECKING

from tests.store.export.export_fixtures import LONG, Read

if TYPE_CHECKING:
    pass


def test_json_and_sqlite_hold_the_same_rows(written: Read) -> None:
    content = json.loads(written("json").read_text(encoding="utf-8"))
    connection = sqlite3.connect(written("sqlite"))
    try:
        for name in ("claims", "quantities", "sources", "costs", "reviews", "protocols", "runs", "conflicts"):
            assert [list(row) for row in connection.execute(f"SELECT * FROM {name}")] == [list(row.values()) for row in content[name]]
        assert dict(connection.execute("SELECT * FROM about")) == content["about"]
    finally:
        connection.close()
    assert content["costs"][0]["amount"] == LONG
