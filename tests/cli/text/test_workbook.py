"""A list as a workbook: the types of its columns, and the account of what was asked."""

import re
import zipfile
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.cli.text.output import Account, Listing
from ledger.cli.text.workbook import column_type, query_words, write_workbook
from ledger.errors import UsageError

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder

ACCOUNT = Account("Works", ("costs", "--gpu", "H 100", "--out", "x.xlsx"), date(2025, 6, 2), lambda: "commit abc, main")


def texts_of(path: Path) -> list[str]:
    """The texts that a workbook holds."""
    with zipfile.ZipFile(path) as archive:
        return re.findall(r"<t[^>]*>(.*?)</t>", archive.read("xl/sharedStrings.xml").decode(), re.DOTALL)


def created_at(path: Path) -> str:
    """The day that a workbook was made for."""
    with zipfile.ZipFile(path) as archive:
        [day] = re.findall(r"<dcterms:created[^>]*>(.*?)T", archive.read("docProps/core.xml").decode())
        return str(day)


@pytest.mark.parametrize(
    ("values", "decimals", "kind"),
    [
        (["2.50", "-1", None, ""], ["column"], "decimal"),
        (["2.50", "unknown"], ["column"], "text"),
        (["2.50"], [], "text"),
        (["2025-01-02", ""], [], "day"),
        (["2025-01-02", "2025-01"], [], "text"),
        ([True, False], [], "boolean"),
        ([1, 2.5], [], "number"),
        ([1, "two"], [], "text"),
        ([None, ""], [], "text"),
    ],
)
def test_a_column_has_the_type_of_all_of_its_values(values: list[object], decimals: list[str], kind: str) -> None:
    listing = Listing([{"column": value} for value in values], ("column",), decimals=decimals)
    assert column_type(listing, "column") == kind


@pytest.mark.parametrize("words", [("costs", "--out", "x.xlsx"), ("costs", "--out=x.xlsx")])
def test_where_it_is_written_is_no_part_of_the_query(words: tuple[str, ...]) -> None:
    assert query_words(words, Path("x.xlsx")) == ["costs"]


def test_the_account_says_who_asked_what_of_which_state(tmp_path: Path) -> None:
    rows = [{"id": "a", "record": {"left": "out"}, "places": ["x", "y"], "by": {"k": 1}}]
    write_workbook(Listing(rows, ("id",), date(2025, 6, 1)), tmp_path / "x.xlsx", ACCOUNT)
    texts = texts_of(tmp_path / "x.xlsx")
    about = dict(zip(texts[::2], texts[1::2], strict=False))
    assert (about["organisation"], about["holds"], about["commit"]) == ("Works", "as of 2025-06-01", "commit abc, main")
    assert "x; y" in texts
    assert "k: 1" in texts
    assert "record" not in texts
    assert created_at(tmp_path / "x.xlsx") == "2025-06-01"


def test_a_list_of_no_day_is_made_on_the_day_it_was_asked(tmp_path: Path) -> None:
    write_workbook(Listing([], ("id",)), tmp_path / "x.xlsx", ACCOUNT)
    assert "for any day" in texts_of(tmp_path / "x.xlsx")
    assert created_at(tmp_path / "x.xlsx") == "2025-06-02"


def test_without_a_file_it_is_refused() -> None:
    with pytest.raises(UsageError, match="a workbook is a file"):
        write_workbook(Listing([], ("id",)), None, ACCOUNT)


def test_the_command_states_its_own_words(filled: "LedgerFolder", command: "Command") -> None:
    done = command("costs", "--as-of", "2025-06-01", "--gpu", "h100", "--format", "xlsx", "--out", "list.xlsx")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert "ledger costs --as-of 2025-06-01 --gpu h100 --format xlsx" in texts_of(filled.root / "list.xlsx")
    assert "none: outside git" in texts_of(filled.root / "list.xlsx")
