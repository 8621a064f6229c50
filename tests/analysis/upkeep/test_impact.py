"""What a change of a record would reach: records that rest on it, nearest first, and sentences of drafts."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ledger.analysis.upkeep.impact import dependents, impact
from ledger.analysis.upkeep.staleness import Citation
from ledger.model.catalogue import Catalogue
from ledger.model.records.claim import Claim
from ledger.model.records.cost import Cost
from ledger.model.records.review import Review
from ledger.model.records.source import Source
from tests.record_fixtures import catalogue_of, make, supersedes

if TYPE_CHECKING:
    from tests.claim_fixtures import Ask
    from tests.conftest import LedgerFolder

Rows = Callable[..., list[dict[str, Any]]]
HEAD = '+++\ntitle = "Draft"\nside = "technical"\ntype = "technical"\nauthors = ["A"]\nas_of = 2025-06-01\nsummary = "S."\n+++\n'


def among() -> Catalogue:
    """A page, a claim and a price on it, a claim that repeats a number of that claim, its successor and a review of it."""
    return catalogue_of(
        make(Source, "page"),
        make(Claim, "said"),
        make(Claim, "repeated", source="paper", values={"n": "said#gain"}),
        make(Claim, "anew", source="paper", supersedes=supersedes("repeated")),
        make(Review, "look", target="repeated"),
        make(Review, "look-at-anew", target="anew"),
        make(Cost, "box"),
    )


def test_dependents_come_nearest_first_with_the_field_that_names_what_they_rest_on() -> None:
    reached = [(d.entry.record.id, ".".join(map(str, d.link.field)), d.link.target, d.steps) for d in dependents(among(), "page")]
    assert reached == [
        ("box", "source", "page", 1),
        ("said", "source", "page", 1),
        ("repeated", "values.n", "said", 2),
        ("anew", "supersedes.id", "repeated", 3),
        ("look", "target", "repeated", 3),
    ]


def test_nothing_is_followed_through_a_record_that_only_speaks_of_another() -> None:
    assert [d.entry.record.id for d in dependents(among(), "repeated")] == ["anew", "look"]
    assert dependents(among(), "box") == []


def test_a_circle_of_names_ends_without_the_record_itself() -> None:
    pair = catalogue_of(make(Claim, "a", bears_on=["b"]), make(Claim, "b", bears_on=["a"]))
    assert [d.entry.record.id for d in dependents(pair, "a")] == ["b"]


def test_a_sentence_counts_where_its_record_rests_on_the_changed_one_and_not_where_it_only_speaks_of_it() -> None:
    citations = [Citation(name, "d.md", line) for line, name in enumerate(("page", "repeated", "anew", "box", "elsewhere"), 1)]
    assert [citation.line for citation in impact(among(), "said", citations).citations] == [2]
    assert [citation.line for citation in impact(among(), "page", citations).citations] == [1, 2, 4]


def test_impact_reaches_records_and_sentences(tested: "LedgerFolder", rows: Rows) -> None:
    tested.add("review", "checked", target="we-measured")
    tested.write("records/articles/draft.md", HEAD + "They say so.\nWe saw [@we-measured#gain] here.\n")
    reached = {(row["id"], row["how"]): row for row in rows("impact", "plan")}
    assert {name for name, _ in reached} == {"ours", "we-measured", "checked", "draft"}
    assert reached["ours", "protocol names plan"]["steps"] == 1
    assert reached["we-measured", "values.gain names ours"]["place"].startswith("records/claims/we-measured.toml:")
    assert reached["draft", "cites we-measured#gain"]["place"] == "records/articles/draft.md:10:8"
    assert rows("impact", "we-measured")[0]["id"] in ("checked", "draft")


def test_impact_of_an_unknown_id_is_a_usage_error(tested: "LedgerFolder", ask: "Ask") -> None:
    code, _out, err = ask("impact", "plam")
    assert (code, "Did you mean plan?" in err) == (2, True)


def test_blocks_count_as_citations(ledger_folder: "LedgerFolder", rows: Rows) -> None:
    block = '```table\nkind = "claims"\ncaption = "C."\nids = [\n  "said",\n]\n```\n'
    ledger_folder.add_page()
    ledger_folder.add("claim", "said")
    ledger_folder.write("records/articles/draft.md", HEAD + block)
    assert [row["place"] for row in rows("impact", "page") if row["kind"] == "article"] == ["records/articles/draft.md:13:4"]
