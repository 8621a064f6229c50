"""What rests on a record, what no longer stands, and gaps, as rows."""

from datetime import date
from typing import TYPE_CHECKING

import pytest

from ledger.analysis.upkeep.coverage import Coverage, Uncovered
from ledger.analysis.upkeep.impact import Impact
from ledger.analysis.upkeep.staleness import Citation, Stale
from ledger.cli.text.upkeep_rows import gap_listing, impact_listing, stale_listing, uncovered_listing

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

DAY = date(2025, 6, 1)
CITATION = Citation("gain", "records/articles/draft.md", 9, 10, name="gain", sentence="They say so.", cited_by="draft")
GAP = Coverage("untested-claim", (Uncovered("untested-claim", "a", "nobody"), Uncovered("untested-claim", "b", "no one")), 5, None)


def test_records_come_before_sentences(filled: "LedgerFolder") -> None:
    ledger = filled.open()
    impact = ledger.impact("gain")
    rows = impact_listing(Impact(impact.dependents, (CITATION,)), lambda entry, field: 7).rows
    assert rows == [
        {
            "id": "later",
            "kind": "claim",
            "place": "records/claims/later.toml:7",
            "how": "supersedes.id names gain",
            "steps": 1,
            "text": "",
        },
        {
            "id": "draft",
            "kind": "article",
            "place": "records/articles/draft.md:9:10",
            "how": "cites gain#gain",
            "text": "They say so.",
        },
    ]


def test_a_stale_citation_has_old_and_new() -> None:
    stale = Stale(CITATION, "superseded by a change", "New release.", old="2x", new="3x", remedy="Cite anew.")
    [row] = stale_listing([stale]).rows
    assert (row["article"], row["place"], row["old"], row["new"]) == ("draft", "records/articles/draft.md:9:10", "2x", "3x")
    assert (row["reason"], row["remedy"], row["sentence"]) == ("superseded by a change", "Cite anew.", "They say so.")


@pytest.mark.parametrize(
    ("allowed", "shown", "verdict"), [(None, "", "no limit"), (2, 2, "allowed"), (1, 1, "too many"), (0, 0, "too many")]
)
def test_a_gap_is_held_to_its_limit(allowed: int | None, shown: int | str, verdict: str) -> None:
    listing = gap_listing([Coverage(GAP.gap, GAP.uncovered, GAP.total, allowed)], DAY)
    assert listing.as_of == DAY
    [row] = listing.rows
    assert row == {
        "gap": "vendor claims that nobody tested (untested-claim)",
        "uncovered": 2,
        "of": 5,
        "allowed": shown,
        "verdict": verdict,
    }


def test_every_record_of_a_gap_is_a_row() -> None:
    assert uncovered_listing([GAP], DAY).rows == [
        {"gap": "untested-claim", "record": "a", "because": "nobody"},
        {"gap": "untested-claim", "record": "b", "because": "no one"},
    ]
