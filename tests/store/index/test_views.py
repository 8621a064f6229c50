"""Every view answers with the columns it promises, exactly, and the documentation lists them."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ledger.store.index.views import VIEWS

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


Rows = Callable[..., list[dict[str, Any]]]

DOCS = Path(__file__).resolve().parents[3] / "docs" / "sql.md"


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


def test_the_documentation_lists_every_column() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for view in VIEWS:
        section = text.split(f"## {view.name}\n", 1)[1].split("\n## ", 1)[0]
        listed = [line for line in section.splitlines() if line.startswith("| `")]
        assert listed == [f"| `{column.name}` | {column.type} | {column.holds} |" for column in view.columns]
