"""JSON: one object with the account of the query and a list of rows for each table, decimals as text."""

import json

from ledger.store.export.tables import Export


def json_file(export: Export) -> dict[str, bytes]:
    """Return one JSON file."""
    content = {"about": dict(export.about), **{table.name: table.as_dicts() for table in export.tables}}
    return {"": (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()}
