"""The one evaluator: each closed reason, with place, old and new value and remedy; and what a change would reach."""

from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from ledger.analysis.upkeep.staleness import Citation, Stale, stale
from ledger.model.values.meaning import meaning_hash

if TYPE_CHECKING:
    from tests.claim_fixtures import Ask
    from tests.conftest import LedgerFolder

Rows = Callable[..., list[dict[str, Any]]]
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


def found(folder: "LedgerFolder", **changes: Any) -> list[Stale]:
    return list(stale(folder.catalogue(), [Citation("said", "d.md", 10, name="gain", **changes)], NOW))


def successor(folder: "LedgerFolder", because: str, value: str = "3") -> None:
    supersedes = {"id": "said", "because": because, "reason": "Read again."}
    quantities = [{**GAIN, "value": value}]
    folder.add("claim", "anew", statement="It gave {gain}.", asserted_on="2025-07-01", quantities=quantities, supersedes=supersedes)


def test_what_stands_is_not_stale(cited: "LedgerFolder") -> None:
    assert found(cited) == []


@pytest.mark.parametrize("because", ["correction", "change"])
def test_superseded(because: str, cited: "LedgerFolder") -> None:
    successor(cited, because)
    [one] = found(cited)
    assert (one.reason, one.old, one.new) == (f"superseded by a {because}", "2x", "3x")
    assert one.remedy == "Cite anew instead."


def test_the_value_that_was_printed_counts(cited: "LedgerFolder") -> None:
    successor(cited, "change")
    assert found(cited, printed="1.9x")[0].old == "1.9x"


def test_a_change_that_comes_later_is_not_yet_news(cited: "LedgerFolder") -> None:
    successor(cited, "change")
    citation = Citation("said", "d.md", 10)
    assert list(stale(cited.catalogue(), [citation], date(2025, 6, 30))) == []
    assert [one.reason for one in stale(cited.catalogue(), [citation], date(2025, 7, 1))] == ["superseded by a change"]


def test_retracted(cited: "LedgerFolder") -> None:
    cited.add("retraction", "taken-back", target="said", reason="Misread.")
    [one] = found(cited)
    assert (one.reason, "Misread" in one.because) == ("retracted", True)


def test_validity_over(cited: "LedgerFolder") -> None:
    cited.add("claim", "said", quantities=[GAIN], statement="{gain}", ended={"on": "2025-08-01", "because": "Removed."})
    [one] = found(cited)
    assert (one.reason, "2025-08-01" in one.because) == ("validity over", True)


def test_orphaned(cited: "LedgerFolder") -> None:
    (cited.root / "records/claims/said.toml").unlink()
    [one] = found(cited, printed="2x")
    assert (one.reason, one.old) == ("orphaned", "2x")


def test_a_meaning_that_is_gone(cited: "LedgerFolder") -> None:
    meaning = meaning_hash(cited.catalogue().by_id["said"].record)
    assert found(cited, meaning=meaning) == []
    assert [one.reason for one in found(cited, meaning=f"m1:{A}")] == ["orphaned"]


def test_review_lapsed(cited: "LedgerFolder") -> None:
    cited.add("review", "checked", target="said")
    assert [one.reason for one in found(cited)] == ["review lapsed"]
    cited.add("review", "again", target="said", target_meaning=meaning_hash(cited.catalogue().by_id["said"].record))
    assert found(cited) == []


def test_source_moved_until_a_review_settles_it(cited: "LedgerFolder") -> None:
    captures = [{"retrieved_at": "2025-01-05", "sha256": A}, {"retrieved_at": "2025-05-05", "sha256": B}]
    cited.add_page(captures=captures)
    [one] = found(cited)
    assert (one.reason, one.through) == ("source moved", "page")
    assert one.because == "its content of 2025-01-05 differed on 2025-05-05"
    assert found(cited, seen_on=date(2025, 5, 5)) == []
    meaning = meaning_hash(cited.catalogue().by_id["said"].record)
    cited.add("review", "checked", target="said", target_meaning=meaning, reviewed_on="2025-05-06")
    assert found(cited) == []


def test_markup_alone_moves_nothing(cited: "LedgerFolder") -> None:
    captures = [
        {"retrieved_at": "2025-01-05", "sha256": A, "text_sha256": A},
        {"retrieved_at": "2025-05-05", "sha256": B, "text_sha256": A},
    ]
    cited.add_page(captures=captures)
    assert found(cited) == []


def test_a_run_that_fell_takes_its_claims_with_it(tested: "LedgerFolder") -> None:
    tested.add("retraction", "bad-run", target="ours", reason="Wrong machine.")
    citation = Citation("we-measured", "d.md", 3, name="gain")
    [one] = stale(tested.catalogue(), [citation], NOW)
    assert (one.reason, one.through) == ("retracted", "ours")
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


def test_impact_reaches_records_and_sentences(tested: "LedgerFolder", rows: Rows) -> None:
    tested.add("review", "checked", target="we-measured")
    tested.write("records/articles/draft.md", HEAD + "They say so.\nWe saw [@we-measured#gain] here.\n")
    found = {(row["id"], row["how"]): row for row in rows("impact", "plan")}
    assert {name for name, _ in found} == {"ours", "we-measured", "checked", "draft"}
    assert found["ours", "protocol names plan"]["steps"] == 1
    assert found["we-measured", "values.gain names ours"]["place"].startswith("records/claims/we-measured.toml:")
    assert found["draft", "cites we-measured#gain"]["place"] == "records/articles/draft.md:10:8"
    assert rows("impact", "we-measured")[0]["id"] in ("checked", "draft")


def test_impact_of_an_unknown_id_is_a_usage_error(tested: "LedgerFolder", ask: "Ask") -> None:
    code, _out, err = ask("impact", "plam")
    assert (code, "Did you mean plan?" in err) == (2, True)


def test_blocks_count_as_citations(cited: "LedgerFolder", rows: Rows) -> None:
    block = '```table\nkind = "claims"\ncaption = "C."\nids = [\n  "said",\n]\n```\n'
    cited.write("records/articles/draft.md", HEAD + block)
    assert [row["place"] for row in rows("impact", "page") if row["kind"] == "article"] == ["records/articles/draft.md:13:4"]
