"""Files that a command writes: whole or not at all, and workbooks with typed cells."""

import re
import zipfile
from datetime import date
from pathlib import Path

import pytest

from ledger.api.command_line.output_files import workbook_bytes, write_output
from ledger.errors import EnvironmentFaultError
from ledger.store.index.views import Type


def test_a_file_and_its_folder_are_made_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b.txt"
    for content in (b"one", b"two"):
        write_output(path, content)
        assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(EnvironmentFaultError, match=r"taken: cannot be written: Is a directory\. Name another file with --out\.$"):
        write_output(tmp_path / "taken", b"x")
    assert list(tmp_path.iterdir()) == [tmp_path / "taken"]


def test_cells_have_the_types_of_their_columns(tmp_path: Path) -> None:
    columns: dict[str, Type] = {"name": "text", "price": "decimal", "day": "day", "count": "number"}
    rows: list[list[str | int | float | None]] = [["a", "2.50", "2025-01-02", 3], [None, None, None, None]]
    content = workbook_bytes(columns, rows, about={"organisation": "Works"}, as_of=date(2025, 6, 1))
    (tmp_path / "x.xlsx").write_bytes(content)
    with zipfile.ZipFile(tmp_path / "x.xlsx") as archive:
        sheet = archive.read("xl/worksheets/sheet2.xml").decode()
        texts = re.findall(r"<t[^>]*>(.*?)</t>", archive.read("xl/sharedStrings.xml").decode())
    first = re.findall(r'<c r="([A-Z])2"(?: s="\d")?( t="s")?><v>(.*?)</v>', sheet)
    shown = [(place, texts[int(value)] if is_text else value) for place, is_text, value in first]
    assert shown == [("A", "a"), ("B", "2.5"), ("C", "2.50"), ("D", "45659"), ("E", "3")]  # 45,659 days after 1899-12-30
    assert content == workbook_bytes(columns, rows, about={"organisation": "Works"}, as_of=date(2025, 6, 1))
