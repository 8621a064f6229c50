"""What an id stands for: its badge, its origins, and why it may not be cited."""

from dataclasses import replace

import pytest

from ledger.model.catalogue import Catalogue
from ledger.model.records.claim import Claim
from ledger.model.records.run import Run
from ledger.render.citing.evidence import PROPOSALS, Badge, CitedRecord, DocumentEvidence, Origin, Refusal, merge_badges
from tests.render.conftest import make_article


def evidence(catalogue: Catalogue, **fields: object) -> DocumentEvidence:
    return DocumentEvidence(make_article("Text.", **fields), catalogue)


def cited(catalogue: Catalogue, reference: str, **fields: object) -> CitedRecord:
    outcome = evidence(catalogue, **fields).cite(reference)
    assert isinstance(outcome, CitedRecord)
    return outcome


@pytest.mark.parametrize(
    ("reference", "side", "text"),
    [
        ("blog-speedup", "technical", "vendor-claimed · supplier"),
        ("blog-speedup#speedup", "technical", "vendor-claimed · supplier"),
        ("old-page", "technical", "vendor-claimed · supplier · superseded 2026-02-12"),
        ("removed-option", "technical", "vendor-claimed · supplier · withdrawn 2025-07"),
        ("idea", "technical", "proposed"),
        ("measured-ngram", "technical", "measured · our own"),
        ("run:demo-run#baseline/c1/tpot.p50", "technical", "measured · our own"),
        ("h100-price", "pricing", "price · list"),
    ],
)
def test_badges_say_label_relation_and_status(catalogue: Catalogue, reference: str, side: str, text: str) -> None:
    assert cited(catalogue, reference, side=side).badge.text == text


@pytest.mark.parametrize(
    ("reference", "origins", "rests_on"),
    [
        ("blog-speedup", ((Origin("source", "vendor-blog"), "second figure"),), ("blog-speedup", "vendor-blog")),
        ("measured-ngram", ((Origin("run", "demo-run"), None),), ("measured-ngram", "demo-run")),
        ("run:demo-run#load.c1", ((Origin("run", "demo-run"), None),), ("demo-run", "demo-plan")),
        ("idea", ((PROPOSALS, "idea"),), ("idea",)),
    ],
)
def test_origins_are_what_the_source_list_numbers(
    catalogue: Catalogue, reference: str, origins: tuple[tuple[Origin, str | None], ...], rests_on: tuple[str, ...]
) -> None:
    found = cited(catalogue, reference)
    assert (found.origins, found.rests_on) == (origins, rests_on)


@pytest.mark.parametrize(
    ("reference", "code", "message"),
    [
        ("nobody", "LEDG101", "no record nobody in this ledger."),
        ("taken-back", "LEDG102", "taken-back was retracted on 2026-03-01: misread."),
        ("price-cut", "LEDG103", "price-cut is on the pricing side; this article is technical."),
        ("h100-price", "LEDG103", "h100-price is on the pricing side; this article is technical."),
        ("vendor-blog", "LEDG104", "vendor-blog is a source, which a sentence cannot cite."),
        ("demo-run", "LEDG104", "demo-run is a run, which a sentence cannot cite."),
    ],
)
def test_what_may_not_be_cited_says_why(catalogue: Catalogue, reference: str, code: str, message: str) -> None:
    outcome = evidence(catalogue).cite(reference)
    assert isinstance(outcome, Refusal)
    assert (outcome.code, outcome.message) == (code, message)


def test_a_statement_younger_than_the_article_is_refused(catalogue: Catalogue) -> None:
    outcome = evidence(catalogue, as_of="2026-02-11").cite("new-page")
    assert isinstance(outcome, Refusal)
    assert (outcome.code, outcome.message) == ("LEDG107", "new-page holds from 2026-02-12; the article is as of 2026-02-11.")


def test_a_run_that_is_not_complete_backs_nothing_through_a_claim_either(catalogue: Catalogue) -> None:
    run = catalogue.get("demo-run", Run)
    assert run is not None
    partial = replace(catalogue.by_id["demo-run"], record=run.model_copy(update={"status": "partial"}))
    changed = Catalogue([*(entry for entry in catalogue if entry.record.id != "demo-run"), partial])
    outcome = evidence(changed).cite("measured-ngram")
    assert isinstance(outcome, Refusal)
    assert outcome.message == "measured-ngram rests on demo-run, which is partial and can back nothing."


def test_badges_of_one_label_and_status_become_one() -> None:
    supplier, author = Badge("vendor-claimed", "vendor-claimed", ("supplier",)), Badge("vendor-claimed", "vendor-claimed", ("author",))
    old = replace(supplier, status="superseded 2026")
    assert merge_badges([supplier, old, author, supplier]) == [replace(supplier, relations=("supplier", "author")), old]


def test_the_run_of_the_front_matter_is_bound_unless_it_is_a_name(catalogue: Catalogue) -> None:
    assert evidence(catalogue, run="demo-run").run("@run") == catalogue.get("demo-run", Run)
    assert evidence(catalogue, run="demo-run").is_unbound("run:@run#load.c1") is False
    assert evidence(catalogue, run="@demo").is_unbound("run:@run#load.c1") is True
    bound = DocumentEvidence(make_article("Text.", run="@demo"), catalogue, {"@run": "demo-run"})
    assert bound.is_unbound("run:@run#load.c1") is False


def test_what_became_of_a_record_depends_on_the_articles_date(catalogue: Catalogue) -> None:
    old = catalogue.get("old-page", Claim)
    assert old is not None
    before, after = evidence(catalogue, as_of="2026-02-11"), evidence(catalogue)
    assert (before.status(old), before.successor(old)) == (None, None)
    assert (after.status(old), after.successor(old)) == ("superseded 2026-02-12", "new-page")


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        ("blog-speedup#speedup", "up to 2.8x"),
        ("h100-price#amount", "98.32\u00a0USD per instance-hour"),
        ("h100-price#per-gpu-hour", "12.29\u00a0USD per GPU-hour"),
        ("h100-price#tax", None),
    ],
)
def test_values_print_prices_too(catalogue: Catalogue, reference: str, text: str | None) -> None:
    assert evidence(catalogue, side="pricing").value(reference).text == text
