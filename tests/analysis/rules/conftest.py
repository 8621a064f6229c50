"""An empty ledger that a row fills, and the table of rules without one of them."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from ledger.analysis import rules
from tests.analysis.rules.row_fixtures import RowLedger

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


@pytest.fixture
def row_ledger(ledger_folder: "LedgerFolder") -> RowLedger:
    """An empty ledger that a row fills."""
    return RowLedger(ledger_folder)


@pytest.fixture
def without_rule(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A function that takes one rule out of the table."""

    def take_out(code: str) -> None:
        monkeypatch.setattr(rules, "RULES", tuple(rule for rule in rules.RULES if rule.code != code))

    return take_out
