"""Every rule by rows: a ledger with one fault, where and how it is told, and the nearest ledger without it.

Rows lie in the `rows_*.py` beside this file. `at` is the place of the finding, `says` a part of its message, `mend` the
replacement in the text (or, as bytes, in the files) that makes the ledger legal; `also` names findings that come along.
"""

import pkgutil
import runpy
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.analysis import rules

if TYPE_CHECKING:
    from tests.analysis.rules.conftest import RowLedger

ROWS: list[dict[str, Any]] = [row for path in sorted(Path(__file__).parent.glob("rows_*.py")) for row in runpy.run_path(str(path))["ROWS"]]
BY_FUNCTION = {rule.code for rule in rules.RULES if rule.check}


def named(rows: list[dict[str, Any]]) -> list[Any]:
    """Return rows as parameters with a name for the report."""
    return [pytest.param(row, id=f"{row['code']}-{row['says'][:40]}") for row in rows]


def test_every_code_has_a_row() -> None:
    assert {row["code"] for row in ROWS} == {rule.code for rule in rules.RULES}


def test_codes_are_used_once_and_every_check_is_in_the_table() -> None:
    codes = [rule.code for rule in rules.RULES]
    assert codes == sorted(set(codes))
    modules = [import_module(f"{rules.__name__}.{found.name}") for found in pkgutil.iter_modules(rules.__path__)]
    written = {value for module in modules for name, value in vars(module).items() if name.startswith("check_")}
    assert written == {rule.check for rule in rules.RULES if rule.check}


@pytest.mark.parametrize("row", named(ROWS))
def test_a_fault_is_told_where_it_is_with_a_remedy(row: dict[str, Any], row_ledger: "RowLedger") -> None:
    findings = row_ledger.findings(row)
    told = [problem for problem in findings if problem.code == row["code"] and problem.place == row["at"]]
    assert told, [str(problem) for problem in findings]
    assert any(row["says"] in problem.message for problem in told), [problem.message for problem in told]
    assert all(problem.remedy.endswith((".", "?", "!")) for problem in told)
    assert all(problem.severity == row.get("severity", "error") for problem in told)
    assert {problem.code for problem in findings} - row.get("also", set()) == {row["code"]}


@pytest.mark.parametrize("row", named(ROWS))
def test_the_nearest_legal_ledger_has_no_finding(row: dict[str, Any], row_ledger: "RowLedger") -> None:
    assert [str(problem) for problem in row_ledger.findings(row, mended=True)] == []


@pytest.mark.parametrize("row", named([row for row in ROWS if row["code"] in BY_FUNCTION]))
def test_without_its_rule_the_fault_goes_unseen(row: dict[str, Any], row_ledger: "RowLedger", without_rule: Callable[[str], None]) -> None:
    without_rule(row["code"])
    assert row["code"] not in {problem.code for problem in row_ledger.findings(row)}
