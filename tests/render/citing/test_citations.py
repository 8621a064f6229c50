"""Citations as Markdown: numbers in order of first citation, badges merged, faults with code and remedy."""

import pytest

from ledger.model.catalogue import Catalogue
from ledger.render.citing.citations import Citing, UnprintableError, badge_link, date_of
from ledger.render.citing.evidence import Badge
from tests.render.conftest import claim, make_citing, plain_claim, run


def test_sources_are_numbered_as_they_are_first_cited(citing: Citing) -> None:
    paper, blog = citing.cite("paper-gains"), citing.cite("blog-speedup")
    assert citing.marks([paper]) == "[1](#source-1)"
    assert citing.marks([blog, paper]) == "[1](#source-1),[2](#source-2)"
    assert citing.marks([citing.cite("old-page")]) == "[2](#source-2)"


def test_badges_of_one_label_are_merged(citing: Citing) -> None:
    cited = [citing.cite("paper-gains"), citing.cite("blog-speedup"), citing.cite("idea")]
    assert citing.badges(cited) == "[vendor-claimed · method's authors, supplier](#label-vendor-claimed) [proposed](#label-proposed)"


def test_a_badge_links_to_its_entry_in_the_key() -> None:
    assert badge_link(Badge("unplanned", "measured, unplanned", ("our own",))) == "[measured, unplanned · our own](#label-unplanned)"


def test_only_a_claim_is_taken_for_a_claim(catalogue: Catalogue) -> None:
    pricing = make_citing(catalogue, side="pricing")
    assert pricing.claim("price-cut").id == "price-cut"
    with pytest.raises(UnprintableError) as caught:
        pricing.claim("h100-price")
    assert (caught.value.code, caught.value.message) == ("LEDG104", "h100-price is a cost, expected a claim.")


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        ("blog-speedup#slowdown", "LEDG105"),
        ("run:demo-run#baseline/c1/ttft.p50", "LEDG105"),
        ("run:demo-run#baseline/c1/tpot.p95", "LEDG106"),
    ],
)
def test_a_value_that_is_not_there_is_told_from_one_that_is_withheld(citing: Citing, reference: str, code: str) -> None:
    with pytest.raises(UnprintableError) as caught:
        citing.value(reference)
    assert (caught.value.code, caught.value.about) == (code, reference)


def test_a_value_prints_with_its_interval_where_asked(citing: Citing) -> None:
    reference = "run:demo-run#baseline/c8/tpot.p50"
    assert citing.value(reference) == "20.4\u00a0ms"
    assert citing.value(reference, interval=True) == "20.4\u00a0ms (19.4 to 21.6)"


def test_a_run_that_is_not_bound_yet_is_a_fault_of_its_own(catalogue: Catalogue) -> None:
    citing = make_citing(catalogue, run="@demo")
    with pytest.raises(UnprintableError) as caught:
        citing.cite("run:@run#baseline/c1/tpot.p50")
    assert (caught.value.code, caught.value.message) == ("LEDG108", "run:@run is not bound to a run.")


def test_a_statement_has_its_values_filled_in(citing: Citing) -> None:
    assert citing.statement(claim("blog-speedup")) == "Prompt lookup gave up to 2.8x on a summarisation set."
    lacking = plain_claim("x", "It gave {gain}.")
    with pytest.raises(UnprintableError, match=r"x: \{gain\}: no claim x in this ledger\."):
        citing.statement(lacking)


def test_dates_are_those_of_the_statement() -> None:
    assert date_of(plain_claim("x", "So.", asserted_on="2025-03")) == "2025-03"
    assert date_of(plain_claim("x", "So.", label="proposed", source=None, locator=None, asserted_on=None)) == "not dated"
    assert date_of(run()) == "not dated"
