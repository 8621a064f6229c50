"""What a record names, and what its statement stands or falls with."""

from datetime import date
from typing import Any

import pytest

from ledger.analysis.validity.links import (
    Link,
    foundations,
    id_fields,
    links_of,
    places_in_sources,
    resting_on,
    run_names,
    value_targets,
)
from ledger.model.record import Record
from ledger.model.records.article import Article, Edition
from ledger.model.records.claim import Claim
from ledger.model.records.cost import Cost
from ledger.model.records.protocol import Protocol
from ledger.model.records.retraction import Retraction
from ledger.model.records.review import Review
from ledger.model.records.run import Run
from ledger.model.records.source import Source
from ledger.model.records.waiver import Waiver
from tests.record_fixtures import catalogue_of, make, supersedes

MEANING = f"m1:{'0' * 64}"
FULL: dict[str, Any] = {
    "also": [{"source": "paper", "locator": "table 2"}],
    "protocol": "plan",
    "bears_on": ["other"],
    "conflicts_with": ["rival"],
    "supersedes": supersedes("old"),
    "values": {"gain": "run:ours#ngram~base/c1/tpot.p50", "again": "run:ours#environment.hardware", "theirs": "other#speed"},
}
"""A claim that names an id in every field that can; no legal one does, since no label allows all of them."""


def draft(**fields: Any) -> Article:
    front = {"title": "T", "side": "pricing", "type": "pricing", "authors": ["A"], "as_of": date(2025, 6, 1), "summary": "S."}
    return Article.model_validate({"id": "draft", "prose": "Text.", **front, **fields})


def test_a_claim_names_ids_in_its_fields_and_behind_its_values() -> None:
    claim = make(Claim, "c", **FULL)
    fields = [
        (("supersedes", "id"), "old", "claim"),
        (("source",), "page", "source"),
        (("protocol",), "plan", "protocol"),
        (("also", 0, "source"), "paper", "source"),
        (("bears_on", 0), "other", "claim"),
        (("conflicts_with", 0), "rival", "claim"),
    ]
    assert list(id_fields(claim)) == fields
    values = [(("values", "gain"), "ours", None), (("values", "again"), "ours", None), (("values", "theirs"), "other", None)]
    assert list(links_of(claim)) == [*fields, *values]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (make(Cost, "c", conflicts_with=["d"]), [(("source",), "page", "source"), (("conflicts_with", 0), "d", "cost")]),
        (make(Review, "r"), [(("target",), "page", None)]),
        (make(Retraction, "r"), [(("target",), "page", None)]),
        (make(Waiver, "w"), [(("target",), "page", None)]),
        (make(Protocol, "p", suites=["items"]), [(("workload",), "prompts", "workload"), (("suites", 0), "items", "suite")]),
        (make(Run, "r"), [(("protocol",), "plan", "protocol")]),
        (
            make(Edition, "e", cited=[{"id": "said", "meaning": MEANING}]),
            [(("article",), "draft", "article"), (("cited", 0, "id"), "said", None)],
        ),
        (draft(technical_edition="e"), [(("technical_edition",), "e", None)]),
        (draft(), []),
        (make(Source, "s"), []),
    ],
)
def test_every_kind_names_what_its_fields_hold(record: Record, expected: list[tuple[Any, ...]]) -> None:
    assert list(links_of(record)) == expected


def test_a_claim_rests_on_its_sources_and_on_what_stands_behind_its_values_each_once() -> None:
    assert foundations(make(Claim, "c", **FULL)) == ("page", "paper", "ours", "other")
    assert foundations(make(Claim, "c", source=None, locator=None)) == ()
    assert foundations(make(Cost, "c")) == ("page",)
    assert foundations(make(Run, "r")) == foundations(make(Review, "v")) == ()


def test_a_place_in_a_source_comes_with_its_locator_where_there_is_one() -> None:
    assert places_in_sources(make(Claim, "c", **FULL)) == (("page", "first section"), ("paper", "table 2"))
    assert places_in_sources(make(Cost, "c")) == (("page", None),)
    assert places_in_sources(make(Source, "s")) == ()


def test_values_name_runs_and_claims_and_a_name_is_left_as_it_stands() -> None:
    claim = make(Claim, "c", values={"a": "run:@run#base/c1/tpot.p50", "b": "run:@run#base/c1/tpot.p95", "c": "other#speed"})
    assert value_targets(claim) == {"a": "@run", "b": "@run", "c": "other"}
    assert run_names(claim) == ["@run"]


@pytest.mark.parametrize(("field", "expected"), [("supersedes", True), ("conflicts_with", True), ("target", True), ("source", False)])
def test_some_fields_only_speak_of_a_record(field: str, expected: bool) -> None:
    assert Link((field, 0), "x").is_beside == expected


def test_what_rests_on_a_source_leaves_out_what_was_replaced() -> None:
    records = [
        make(Source, "page"),
        make(Claim, "told"),
        make(Claim, "told-anew", supersedes=supersedes("told"), source="paper", also=[{"source": "page", "locator": "x"}]),
        make(Claim, "wrong"),
        make(Retraction, "back", target="wrong"),
        make(Claim, "elsewhere", source="paper"),
        make(Cost, "box"),
        make(Review, "looked"),
    ]
    assert [record.id for record in resting_on(catalogue_of(*records), "page")] == ["told-anew", "box"]
