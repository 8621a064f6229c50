"""An export holds what its query asks for."""

import json
from typing import TYPE_CHECKING

from tests.store.export.export_fixtures import Read

if TYPE_CHECKING:
    pass


def test_days_narrow_an_export(written: Read) -> None:
    def ids(*arguments: str) -> set[str]:
        return {row["id"] for row in json.loads(written("json", "--kind", "claim", *arguments).read_text(encoding="utf-8"))["claims"]}

    assert "older" in ids("--as-of", "2025-02-05")
    assert "newer" not in ids("--as-of", "2025-02-05")
    assert "older" not in ids()
    assert {"older", "newer"} <= ids("--all")
