"""Exports: typed, exact, safe, and the same bytes twice."""

import csv
import io
import json
import re
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ledger.model.values.text import spreadsheet_text
from ledger.store.export.formats import ExportFormat

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


@pytest.mark.parametrize("form", get_args(ExportFormat))
def test_the_same_bytes_twice(form: str, written: Read) -> None:
    first, second = written(form, name="a"), written(form, name="b")
    assert first.read_bytes() == second.read_bytes()
    assert len(first.read_bytes()) > 100


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


def test_csv_is_safe_and_leaves_numbers_alone(written: Read) -> None:
    folder = written("csv", name="folder").with_suffix("")
    assert not folder.exists()
    rows = list(csv.DictReader(io.StringIO(written("csv", "--kind", "claim").read_text(encoding="utf-8"))))
    assert {row["id"]: row["locator"] for row in rows}["slower"] == "'-1+1"
    [price] = csv.DictReader(io.StringIO(written("csv", "--kind", "cost").read_text(encoding="utf-8")))
    assert (price["amount"], price["provider"]) == (LONG, f"'{FORMULA}")


def test_csv_of_several_tables_is_a_folder(tested: "LedgerFolder", ask: "Ask", tmp_path: Path) -> None:
    code, out, _err = ask("export", "--format", "csv", "--kind", "claim", "--out", str(tmp_path / "all"))
    assert (code, [Path(line).name for line in out.split()]) == (0, ["claims.csv", "quantities.csv", "conflicts.csv"])
    assert ask("export", "--format", "json", "--out", str(tmp_path / "all"))[0] == 2


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("-4.5", "-4.5"),
        ("-4,5", "'-4,5"),
        ("+1", "+1"),
        ("=1+1", "'=1+1"),
        ("@x", "'@x"),
        (" =1", "' =1"),
        ("-inf", "'-inf"),
        ("＝1", "'＝1"),
        ("a=b", "a=b"),
    ],
)
def test_formulas_are_quoted(text: str, safe: str) -> None:
    assert spreadsheet_text(text) == safe


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


def test_parquet_has_types_and_exact_decimals(written: Read) -> None:
    table = pq.read_table(written("parquet", "--kind", "cost"))
    assert table.schema.field("valid_from").type == pa.date32()
    assert table.schema.field("taken_back").type == pa.bool_()
    assert table.column("amount").to_pylist() == [LONG]
    assert table.schema.metadata[b"organisation"] == b"Test Works"


def test_json_ld_names_claims_reviews_and_where_they_come_from(written: Read) -> None:
    content = json.loads(written("jsonld", "--all").read_text(encoding="utf-8"))
    assert content["@context"]["prov"] == "http://www.w3.org/ns/prov#"
    base = "urn:evidence-ledger:test-works"
    nodes: dict[str, dict[str, Any]] = {}
    for node in content["@graph"]:
        nodes.setdefault(node["@id"], {}).update(node)
    review = nodes[f"{base}:slower:label"]
    assert (review["@type"], review["schema:claimReviewed"]) == ("schema:ClaimReview", "It changed by -4.5%.")
    assert review["schema:reviewRating"]["schema:alternateName"] == "vendor-claimed, supplier"
    assert nodes[f"{base}:slower"]["prov:wasDerivedFrom"] == {"@id": f"{base}:page"}
    assert nodes[f"{base}:newer"]["prov:wasRevisionOf"] == {"@id": f"{base}:older"}
    assert nodes[f"{base}:we-measured"]["prov:wasDerivedFrom"] == {"@id": f"{base}:ours:results"}
    assert nodes[f"{base}:ours:results"]["prov:wasGeneratedBy"] == {"@id": f"{base}:ours"}
    assert nodes[f"{base}:checked"]["schema:itemReviewed"] == {"@id": f"{base}:slower"}


def test_days_narrow_an_export(written: Read) -> None:
    def ids(*arguments: str) -> set[str]:
        return {row["id"] for row in json.loads(written("json", "--kind", "claim", *arguments).read_text(encoding="utf-8"))["claims"]}

    assert "older" in ids("--as-of", "2025-02-05")
    assert "newer" not in ids("--as-of", "2025-02-05")
    assert "older" not in ids()
    assert {"older", "newer"} <= ids("--all")


def test_an_unknown_kind_is_a_usage_error(tested: "LedgerFolder", ask: "Ask", tmp_path: Path) -> None:
    code, _out, err = ask("export", "--format", "json", "--kind", "claims", "--out", str(tmp_path / "x.json"))
    assert (code, "cannot be exported" in err) == (2, True)


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
