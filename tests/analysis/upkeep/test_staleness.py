"""The one evaluator: each closed reason, with place, old and new value and remedy."""

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from ledger.analysis.upkeep.staleness import Citation, Stale, stale
from ledger.model.values.meaning import meaning_hash

if TYPE_CHECKING:
    from tests.claim_fixtures import Ask
    from tests.conftest import LedgerFolder

NOW = date(2025, 9, 1)
HEAD = '+++\ntitle = "Draft"\nside = "technical"\ntype = "technical"\nauthors = ["A"]\nas_of = 2025-06-01\nsummary = "S."\n+++\n'
GAIN = {"name": "gain", "metric": "output-speedup", "value": "2", "unit": "x"}
A, B = "a" * 64, "b" * 64


@pytest.fixture
def cited(ledger_folder: "LedgerFolder") -> "LedgerFolder":
    """A claim with a value, its page, and a draft whose tenth line cites it."""
    ledger_folder.add_page()
    ledger_folder.add("claim", "said", statement="It gave {gain}.", quantities=[GAIN])
    ledger_folder.write("records/articles/draft.md", HEAD + "A sentence.\nThe gain was [@said#gain], they say.\n")
    return ledger_folder


def stale_of(folder: "LedgerFolder", **changes: Any) -> list[Stale]:
    return list(stale(folder.catalogue(), [Citation("said", "d.md", 10, name="gain", **changes)], NOW))


def successor(folder: "LedgerFolder", because: str, value: str = "3") -> None:
    supersedes = {"id": "said", "because": because, "reason": "Read again."}
    quantities = [{**GAIN, "value": value}]
    folder.add("claim", "anew", statement="It gave {gain}.", asserted_on="2025-07-01", quantities=quantities, supersedes=supersedes)


def test_what_stands_is_not_stale(cited: "LedgerFolder") -> None:
    assert stale_of(cited) == []


@pytest.mark.parametrize("because", ["correction", "change"])
def test_superseded(because: str, cited: "LedgerFolder") -> None:
    successor(cited, because)
    [fallen] = stale_of(cited)
    assert (fallen.reason, fallen.old, fallen.new) == (f"superseded by a {because}", "2x", "3x")
    assert fallen.remedy == "Cite anew instead."


def test_the_value_that_was_printed_counts(cited: "LedgerFolder") -> None:
    successor(cited, "change")
    assert stale_of(cited, printed="1.9x")[0].old == "1.9x"


def test_a_change_that_comes_later_is_not_yet_news(cited: "LedgerFolder") -> None:
    successor(cited, "change")
    citation = Citation("said", "d.md", 10)
    assert list(stale(cited.catalogue(), [citation], date(2025, 6, 30))) == []
    assert [fallen.reason for fallen in stale(cited.catalogue(), [citation], date(2025, 7, 1))] == ["superseded by a change"]


def test_retracted(cited: "LedgerFolder") -> None:
    cited.add("retraction", "taken-back", target="said", reason="Misread.")
    [fallen] = stale_of(cited)
    assert (fallen.reason, "Misread" in fallen.because) == ("retracted", True)


def test_validity_over(cited: "LedgerFolder") -> None:
    cited.add("claim", "said", quantities=[GAIN], statement="{gain}", ended={"on": "2025-08-01", "because": "Removed."})
    [fallen] = stale_of(cited)
    assert (fallen.reason, "2025-08-01" in fallen.because) == ("validity over", True)


def test_orphaned(cited: "LedgerFolder") -> None:
    (cited.root / "records/claims/said.toml").unlink()
    [fallen] = stale_of(cited, printed="2x")
    assert (fallen.reason, fallen.old) == ("orphaned", "2x")


def test_a_meaning_that_is_gone(cited: "LedgerFolder") -> None:
    meaning = meaning_hash(cited.catalogue().by_id["said"].record)
    assert stale_of(cited, meaning=meaning) == []
    assert [fallen.reason for fallen in stale_of(cited, meaning=f"m1:{A}")] == ["orphaned"]


def test_review_lapsed(cited: "LedgerFolder") -> None:
    cited.add("review", "checked", target="said")
    assert [fallen.reason for fallen in stale_of(cited)] == ["review lapsed"]
    cited.add("review", "again", target="said", target_meaning=meaning_hash(cited.catalogue().by_id["said"].record))
    assert stale_of(cited) == []


def test_source_moved_until_a_review_settles_it(cited: "LedgerFolder") -> None:
    captures = [{"retrieved_at": "2025-01-05", "sha256": A}, {"retrieved_at": "2025-05-05", "sha256": B}]
    cited.add_page(captures=captures)
    [fallen] = stale_of(cited)
    assert (fallen.reason, fallen.through) == ("source moved", "page")
    assert fallen.because == "its content of 2025-01-05 differed on 2025-05-05"
    assert stale_of(cited, seen_on=date(2025, 5, 5)) == []
    meaning = meaning_hash(cited.catalogue().by_id["said"].record)
    cited.add("review", "checked", target="said", target_meaning=meaning, reviewed_on="2025-05-06")
    assert stale_of(cited) == []


def test_markup_alone_moves_nothing(cited: "LedgerFolder") -> None:
    captures = [
        {"retrieved_at": "2025-01-05", "sha256": A, "text_sha256": A},
        {"retrieved_at": "2025-05-05", "sha256": B, "text_sha256": A},
    ]
    cited.add_page(captures=captures)
    assert stale_of(cited) == []


def test_a_run_that_fell_takes_its_claims_with_it(tested: "LedgerFolder") -> None:
    tested.add("retraction", "bad-run", target="ours", reason="Wrong machine.")
    citation = Citation("we-measured", "d.md", 3, name="gain")
    [fallen] = stale(tested.catalogue(), [citation], NOW)
    assert (fallen.reason, fallen.through) == ("retracted", "ours")
    assert "LEDG025" in tested.codes()


def test_a_draft_is_told_by_line(cited: "LedgerFolder", ask: "Ask") -> None:
    successor(cited, "correction")
    code, out, _err = ask("article", "stale", "draft")
    assert code == 1
    assert out.startswith("records/articles/draft.md:10:14: warning: said: superseded by a correction: Read again. It said 2x; now 3x.")
    assert out.rstrip().endswith("Cite anew instead. [LEDG140]")


def test_what_the_document_tells_is_no_news(cited: "LedgerFolder", ask: "Ask") -> None:
    cited.add("claim", "said", quantities=[GAIN], statement="{gain}", ended={"on": "2025-05-01", "because": "Removed."})
    code, out, err = ask("article", "stale", "draft")
    assert (code, out) == (0, "")
    assert "1 more are told beside the citation" in err
    assert "validity over" in ask("article", "stale", "draft", "--all")[1]


def test_check_tells_it_too(cited: "LedgerFolder") -> None:
    successor(cited, "correction")
    assert [p.line for p in cited.check() if p.code == "LEDG140"] == [10]
