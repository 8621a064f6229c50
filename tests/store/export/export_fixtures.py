"""A ledger to be exported, and readers of what was written."""

import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.claim_fixtures import Ask
    from tests.conftest import LedgerFolder


Read = Callable[..., Path]

LONG = "2.000000000000000000000000007"

FORMULA = '=HYPERLINK("http://evil.example","x")'


@pytest.fixture
def written(tested: "LedgerFolder", ask: "Ask", tmp_path: Path) -> Read:
    """A function that exports a ledger with a long decimal, a formula and a negative number, and returns the path."""
    tested.add("cost", "price", amount=LONG, provider=FORMULA)
    change = {"name": "change", "metric": "throughput-change", "value": "-4.5", "unit": "%"}
    tested.add("claim", "slower", statement="It changed by {change}.", quantities=[change], locator="-1+1")
    tested.add("claim", "older", asserted_on="2025-01-06")
    supersedes = {"id": "older", "because": "change", "reason": "It moved."}
    tested.add("claim", "newer", asserted_on="2025-02-06", supersedes=supersedes)
    tested.add("review", "checked", target="slower")

    def run(form: str, *arguments: str, name: str = "out") -> Path:
        out = tmp_path / f"{name}.{form}"
        code, printed, err = ask("export", "--format", form, "--out", str(out), *arguments)
        assert code == 0, err
        assert printed.strip().splitlines()[0].startswith(str(out))
        return out

    return run


def sheets(path: Path) -> dict[str, list[dict[str, tuple[str, str]]]]:
    """The rows of a workbook by heading: type and value of each cell."""
    with zipfile.ZipFile(path) as archive:
        texts = re.findall(r"<si><t[^>]*>(.*?)</t></si>|<si><t/></si>", archive.read("xl/sharedStrings.xml").decode(), re.DOTALL)
        names = re.findall(r'<sheet name="(\w+)"', archive.read("xl/workbook.xml").decode())
        found = {}
        for number, name in enumerate(names, 1):
            content = archive.read(f"xl/worksheets/sheet{number}.xml").decode()
            assert "<f>" not in content
            rows = [dict(_cells(row, texts)) for row in re.findall(r"<row .*?</row>", content, re.DOTALL)]
            heads = {place: text for place, (_, text) in rows[0].items()}
            found[name] = [{heads.get(place, place): cell for place, cell in row.items()} for row in rows[1:]]
        return found


def _cells(row: str, texts: list[str]) -> list[tuple[str, tuple[str, str]]]:
    cells = re.findall(r'<c r="([A-Z]+)\d+"(?: s="(\d+)")?(?: t="(\w)")?><v>(.*?)</v></c>', row)
    kinds = {"s": "text", "b": "boolean", "": "number"}
    return [
        (place, ("day" if style == "2" and not kind else kinds[kind], texts[int(value)] if kind == "s" else value))
        for place, style, kind, value in cells
    ]
