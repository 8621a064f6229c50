"""CSV is safe to open in a spreadsheet and keeps every digit."""

import csv
import io
from typing import TYPE_CHECKING

from tests.store.export.export_fixtures import FORMULA, LONG, Read

if TYPE_CHECKING:
    pass


def test_csv_is_safe_and_leaves_numbers_alone(written: Read) -> None:
    folder = written("csv", name="folder").with_suffix("")
    assert not folder.exists()
    rows = list(csv.DictReader(io.StringIO(written("csv", "--kind", "claim").read_text(encoding="utf-8"))))
    assert {row["id"]: row["locator"] for row in rows}["slower"] == "'-1+1"
    [price] = csv.DictReader(io.StringIO(written("csv", "--kind", "cost").read_text(encoding="utf-8")))
    assert (price["amount"], price["provider"]) == (LONG, f"'{FORMULA}")
