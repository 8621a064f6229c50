"""Rows of the rules' tables and how they are tested: a ledger with one fault, and the nearest ledger without it.

A table lies in the test file of its rules' module. A row's `at` is the place of the finding, `says` a part of its
message, `mend` the replacement in the text (or, as bytes, in the files) that makes the ledger legal; `also` names
findings that come along, `base` the records that are there already.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from ledger.errors import Problem
from ledger.model.values.meaning import meaning_hash

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

Row = dict[str, Any]
PLAN = '[[protocol]]\nid = "p"\n'


def quantity_toml(**fields: str) -> str:
    """Return one quantity, named `n`, of the metric `speedup`."""
    pairs = {"name": "n", "metric": "speedup", "unit": "x", **fields}
    return "{" + ", ".join(f'{name} = "{value}"' for name, value in pairs.items()) + "}"


def claim_toml(*quantities: str, statement: str = "Drafts come from the prompt.", **fields: str) -> str:
    """Return a vendor claim with quantities on its fourth line."""
    extra = "".join(f"{name} = {value}\n" for name, value in fields.items())
    return f'[[claim]]\nid = "c"\nstatement = "{statement}"\nquantities = [{", ".join(quantities)}]\n{extra}'


def named(rows: list[Row]) -> list[Any]:
    """Return rows as parameters with a name for the report."""
    return [pytest.param(row, id=f"{row['code']}-{row['says'][:40]}") for row in rows]


class RowLedger:
    """Writes the ledger of a row and finds its faults."""

    def __init__(self, folder: "LedgerFolder") -> None:
        self.folder = folder

    def findings(self, row: Row, *, mended: bool = False) -> list[Problem]:
        """Return what the reader, the rules and the check of attached files find, placed."""
        text, files = _mended(row) if mended else (row.get("text", ""), row.get("files", {}))
        self._base(row.get("base", "page"))
        self.folder.add_toml(text)
        for path, content in files.items():
            self.folder.write(path, content)
        self._fill_in_meanings()
        ledger = self.folder.open()
        return ledger.files.record_files.with_places(ledger.checks.record_problems)

    def _base(self, wanted: str) -> None:
        if "page" in wanted:
            self.folder.add_page()
        if "plan" in wanted:
            self.folder.add_plan()
        if "run" in wanted:
            self.folder.add("run", "run-1")

    def _fill_in_meanings(self) -> None:
        """Put meaning hashes where a row says `MEANING-OF-` and an id in capitals."""
        hashes = {f"MEANING-OF-{entry.record.id.upper()}": meaning_hash(entry.record) for entry in self.folder.catalogue()}
        for path in self.folder.root.glob("records/r*.toml"):
            path.write_text(re.sub(r"MEANING-OF-\w+", lambda match: hashes[match.group()], path.read_text()))


def _mended(row: Row) -> tuple[str, dict[str, bytes]]:
    """Return text and files of the legal variant: something replaced, or files added."""
    text, files, mend = row.get("text", ""), row.get("files", {}), row["mend"]
    if isinstance(mend, dict):
        return text, files | mend
    old, new = mend
    if isinstance(old, bytes):
        return text, {path: content.replace(old, new) for path, content in files.items()}
    assert old in text, f"{row['code']}: the mend finds nothing to replace"
    return text.replace(old, new), files


class RowTests:
    """The tests of a row; a test file derives a class of its own, with its rows as parameters."""

    def test_a_fault_is_told_where_it_is_with_a_remedy(self, row: Row, row_ledger: RowLedger) -> None:
        findings = row_ledger.findings(row)
        told = [problem for problem in findings if problem.code == row["code"] and problem.place == row["at"]]
        assert told, [str(problem) for problem in findings]
        assert any(row["says"] in problem.message for problem in told), [problem.message for problem in told]
        assert all(problem.remedy.endswith((".", "?", "!")) for problem in told)
        assert all(problem.severity == row.get("severity", "error") for problem in told)
        assert {problem.code for problem in findings} - row.get("also", set()) == {row["code"]}

    def test_the_nearest_legal_ledger_has_no_finding(self, row: Row, row_ledger: RowLedger) -> None:
        assert [str(problem) for problem in row_ledger.findings(row, mended=True)] == []


class RuleTests(RowTests):
    """The tests of a row whose rule is a function in the table."""

    def test_without_its_rule_the_fault_goes_unseen(self, row: Row, row_ledger: RowLedger, without_rule: Callable[[str], None]) -> None:
        without_rule(row["code"])
        assert row["code"] not in {problem.code for problem in row_ledger.findings(row)}
