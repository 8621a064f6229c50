"""Drafts: found, composed once, linted, and traced to what they cite."""

from datetime import date
from typing import TYPE_CHECKING

import pytest

from ledger.api.articles import bound_names
from ledger.errors import FindingsError, UsageError
from ledger.model.records.article import Article

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

HEAD = '+++\ntitle = "Draft"\nside = "technical"\ntype = "technical"\nauthors = ["A"]\nas_of = 2025-06-01\nsummary = "S."\n+++\n'


@pytest.fixture
def works(ledger_folder: "LedgerFolder") -> "LedgerFolder":
    """A claim, and a draft that cites it and a record that is not there."""
    ledger_folder.add_page()
    ledger_folder.add("claim", "drafts")
    ledger_folder.write("records/articles/draft.md", f"{HEAD}A sentence [@drafts].\n\nAnother [@gone].\n")
    return ledger_folder


def test_findings_have_their_place_in_the_file(works: "LedgerFolder") -> None:
    articles = works.open().articles
    [problem] = articles.lint("draft")
    assert (problem.code, problem.path, problem.line, problem.column) == ("LEDG101", "records/articles/draft.md", 11, 9)
    assert articles.findings("draft", articles.compose("draft")) == [problem]


def test_citations_lead_from_a_record_to_the_sentence(works: "LedgerFolder") -> None:
    articles = works.open().articles
    assert [(citation.record, citation.line) for citation in articles.citations()] == [("drafts", 9), ("gone", 11)]
    assert [citation.line for citation in articles.impact("page").citations] == [9]  # the claim rests on the page
    with pytest.raises(UsageError, match="no such record"):
        articles.impact("gone")


def test_a_superseded_claim_makes_its_citation_stale(works: "LedgerFolder") -> None:
    works.add("claim", "newer", supersedes={"id": "drafts", "because": "change", "reason": "r"}, asserted_on="2025-03-01")
    stale = works.open().articles.stale(["draft"], as_of=date(2025, 6, 1))
    assert "drafts" in [found.citation.record for found in stale]
    assert "drafts" not in [found.citation.record for found in works.open().articles.stale(["draft"], as_of=date(2025, 2, 1))]


def test_a_draft_that_is_not_there_or_cannot_be_read_is_told(works: "LedgerFolder") -> None:
    works.write("records/articles/broken.md", "no front matter\n")
    articles = works.open().articles
    with pytest.raises(UsageError, match=r"nothing: no such article\. There is draft\."):
        articles.article("nothing")
    with pytest.raises(FindingsError, match="broken cannot be read") as refused:
        articles.article("broken")
    assert [problem.code for problem in refused.value.problems] == ["LEDG007"]


@pytest.mark.parametrize(
    ("run", "given", "expected"),
    [
        (None, None, {}),
        ("ours", None, {"@run": "ours"}),
        ("ours", {"@run": "other"}, {"@run": "other"}),
        ("@demo", {"@demo": "ours"}, {"@demo": "ours", "@run": "ours"}),
        ("@demo", None, {"@run": "@demo"}),
    ],
)
def test_a_named_run_is_the_one_bound_else_the_front_matters(
    run: str | None, given: dict[str, str] | None, expected: dict[str, str], works: "LedgerFolder"
) -> None:
    article = works.catalogue().get("draft", Article)
    assert article is not None
    assert bound_names(article.model_copy(update={"run": run}), given) == expected
