"""One record in full: every field in lines of 80 columns, and what is derived about it."""

from datetime import date
from typing import TYPE_CHECKING

from ledger.cli.text.record_text import shown_lines, shown_record
from ledger.model.values.meaning import meaning_hash

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

DAY = date(2025, 6, 1)


def test_fields_stand_beside_their_names_and_lists_below(filled: "LedgerFolder") -> None:
    filled.add("claim", "wide", caveats=["word " * 40], statement="Drafts come from the prompt.", version="vllm 0.32")
    lines = list(shown_lines(filled.open(), "wide", DAY))
    assert lines[0] == "id              wide"
    assert "version         vllm 0.32" in lines
    place = lines.index("caveats")
    assert lines[place + 1].startswith("  1: word word")
    assert lines[place + 2].startswith("      word")
    assert max(map(len, lines)) <= 80


def test_a_claim_says_its_certainty_and_who_tests_it(tested: "LedgerFolder") -> None:
    shown = shown_record(tested.open(), "vendor-up-to", DAY)
    assert shown["certainty"] in ("low", "very low")
    assert any(cause.startswith("selection: ") for cause in shown["downgraded_for"])
    assert [*shown["tested_by"]] == ["we-measured"]
    assert shown["tested_by"]["we-measured"].startswith("inconclusive: ")
    assert shown["named_by"] == ["we-measured"]


def test_another_record_has_its_meaning_and_no_certainty(filled: "LedgerFolder") -> None:
    shown = shown_record(filled.open(), "box", DAY)
    assert "certainty" not in shown
    assert shown["meaning"] == meaning_hash(filled.catalogue().by_id["box"].record)
    assert (shown["kind"], shown["state"], shown["as_of"], shown["place"]) == ("cost", "current", "2025-06-01", "records/costs/box.toml:1")
