"""JSON: the account of the query and the rows of each table, decimals as text."""

import json
from datetime import date

from ledger.store.export.json_file import json_file
from ledger.store.export.tables import Export, ExportTable
from ledger.store.index.views import Column


def test_one_object_holds_the_account_and_every_table() -> None:
    columns = (Column("id", "text", "id", ""), Column("amount", "decimal", "price", ""))
    table = ExportTable("costs", columns, (("a", "2.50"), ("b", None)))
    [(name, content)] = json_file(Export((table,), {"organisation": "Café"}, date(2025, 6, 1))).items()
    assert name == ""
    assert json.loads(content) == {
        "about": {"organisation": "Café"},
        "costs": [{"id": "a", "amount": "2.50"}, {"id": "b", "amount": None}],
    }
    assert "Café".encode() in content
    assert content.endswith(b"}\n")
