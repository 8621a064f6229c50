"""A workbook has typed cells beside exact digits, no formula, and says what was asked."""

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.store.export.export_fixtures import FORMULA, LONG, Read, sheets

if TYPE_CHECKING:
    from tests.claim_fixtures import Ask


def test_a_workbook_has_typed_cells_and_exact_decimals(written: Read) -> None:
    book = sheets(written("xlsx"))
    [price] = book["costs"]
    assert (price["amount"], price["amount (exact)"]) == (("number", "2"), ("text", LONG))
    assert (price["currency"], price["per"]) == (("text", "USD"), ("text", "gpu-hour"))
    assert price["provider"] == ("text", FORMULA.replace('"', "&quot;") if "&quot;" in price["provider"][1] else FORMULA)
    assert price["valid_from"][0] == "day"
    assert price["taken_back"] == ("boolean", "0")
    change = next(row for row in book["quantities"] if row["name"][1] == "change")
    assert (change["low"], change["low (exact)"], change["unit"]) == (("number", "-4.5"), ("text", "-4.5"), ("text", "%"))


def test_a_workbook_says_what_was_asked(written: Read) -> None:
    with zipfile.ZipFile(written("xlsx", "--kind", "cost", "--as-of", "2025-06-01")) as archive:
        texts = archive.read("xl/sharedStrings.xml").decode()
        created = archive.read("docProps/core.xml").decode()
    for words in ("Test Works", "export cost", "2025-06-01", "none: outside git", "evidence-ledger"):
        assert words in texts
    assert "2025-06-01T00:00:00Z" in created


def test_a_list_becomes_a_workbook(written: Read, ask: "Ask", tmp_path: Path) -> None:
    written("json")
    assert ask("costs", "--format", "xlsx")[0] == 2
    for name in ("one.xlsx", "two.xlsx"):
        assert ask("costs", "--as-of", "2025-06-01", "--format", "xlsx", "--out", str(tmp_path / name)) == (0, "", "")
    assert (tmp_path / "one.xlsx").read_bytes() == (tmp_path / "two.xlsx").read_bytes()
    [row] = sheets(tmp_path / "one.xlsx")["rows"]
    assert (row["amount"], row["amount (exact)"]) == (("number", "2"), ("text", LONG))
    assert ask("costs", "--format", "csv", "--out", str(tmp_path / "list.csv"))[:2] == (0, "")
    assert LONG in (tmp_path / "list.csv").read_text(encoding="utf-8")
