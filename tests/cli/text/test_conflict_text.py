"""Conflicts as paragraphs and as rows."""

from typing import TYPE_CHECKING

import pytest

from ledger.analysis.claims.conflicts import conflicts
from ledger.cli.text.conflict_text import conflict_lines, conflict_listing
from ledger.model.records.claim import Claim

if TYPE_CHECKING:
    from ledger.analysis.claims.conflicts import Conflicts
    from ledger.model.catalogue import Catalogue
    from tests.conftest import LedgerFolder


@pytest.fixture
def sides(ledger_folder: "LedgerFolder") -> "tuple[Catalogue, Conflicts]":
    """Two claims of one metric, of which one names the other, and long conditions."""
    ledger_folder.add_page()
    gain = {"name": "gain", "metric": "output-speedup", "unit": "x"}
    ledger_folder.add("claim", "best", statement="Up {gain}.", quantities=[{**gain, "value": "2.4", "conditions": {"load": "light " * 20}}])
    ledger_folder.add("claim", "plain", statement="It gave {gain}.", quantities=[{**gain, "value": "1.3"}], conflicts_with=["best"])
    catalogue = ledger_folder.catalogue()
    return catalogue, conflicts(catalogue, catalogue.of(Claim))


def test_groups_and_pairs_are_told_in_80_columns(sides: "tuple[Catalogue, Conflicts]") -> None:
    lines = list(conflict_lines(*sides, None))
    assert lines[0] == "output-speedup: 2 claims"
    assert lines[1] == "  2.4x (best#gain)"
    assert lines[2] == "      vendor-claimed · supplier · asserted 2025-01-10"
    assert "      no condition stated" in lines
    assert "  May not be comparable:" in lines
    assert "Named as saying otherwise (by plain):" in lines
    assert max(map(len, lines)) <= 80


def test_another_metric_leaves_both_out(sides: "tuple[Catalogue, Conflicts]") -> None:
    assert list(conflict_lines(*sides, "latency")) == []
    assert conflict_listing(*sides, "latency").rows == []


def test_a_row_a_number_and_a_row_a_pair(sides: "tuple[Catalogue, Conflicts]") -> None:
    rows = conflict_listing(*sides, None).rows
    assert [(row["because"], row["claim"], row.get("value"), row["other"]) for row in rows] == [
        ("same metric", "best", "2.4x", None),
        ("same metric", "plain", "1.3x", None),
        ("named", "best", None, "plain"),
    ]
    assert rows[2]["named_by"] == ["plain"]
