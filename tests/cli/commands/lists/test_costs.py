"""`ledger costs`: filters, offers, and days to come."""

import json
from typing import TYPE_CHECKING

from tests.cli.conftest import ids

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_two_terms_of_one_item_are_two_offers_and_an_older_date_of_one_is_not(command: "Command", filled: "LedgerFolder") -> None:
    filled.add("cost", "box-older", effective_from="2024-01-01", amount="9.00")
    assert ids(command, "costs", "--as-of", "2025-06-01") == ["box", "box-1-year", "box-3-years"]
    assert "box-older" in ids(command, "costs", "--all")


def test_a_day_to_come_is_answered_by_announcements_alone(ledger_folder: "LedgerFolder") -> None:
    """An observation says nothing of next year; a price that says until when it holds does."""
    ledger_folder.add_page()
    ledger_folder.add("cost", "seen", item="demo/seen", effective_from="unknown", effective_to="unknown")
    ledger_folder.add("cost", "announced", item="demo/announced", effective_from="2090-01-01", effective_to="open")
    refused = ledger_folder.run("costs", "--as-of", "2090-06-01")
    assert (refused.returncode, "lies in the future" in refused.stderr) == (2, True)
    done = ledger_folder.run("costs", "--as-of", "2090-06-01", "--announced", "--format", "json")
    assert [row["id"] for row in json.loads(done.stdout)] == ["announced"]
