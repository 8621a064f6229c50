"""The table of rules: every code once, every check function in it, and a tested row for each."""

import pkgutil
from importlib import import_module
from pathlib import Path

from ledger.analysis import rules


def test_every_code_has_a_row() -> None:
    tables = [getattr(import_module(f"tests.analysis.rules.{path.stem}"), "ROWS", []) for path in Path(__file__).parent.glob("test_*.py")]
    assert {row["code"] for table in tables for row in table} == {rule.code for rule in rules.RULES}


def test_codes_are_used_once_and_in_order() -> None:
    codes = [rule.code for rule in (*rules.RULES, *rules.HISTORY)]
    assert codes == sorted(set(codes))


def test_every_check_is_in_the_table() -> None:
    modules = [import_module(f"{rules.__name__}.{module.name}") for module in pkgutil.iter_modules(rules.__path__)]
    written = {value for module in modules for name, value in vars(module).items() if name.startswith("check_")}
    assert written == {check for rule in rules.RULES if (check := rule.check or rule.check_on)}
