"""Records by id, by kind, and by what became of them; what is there twice or was taken back answers nothing."""

from typing import Any

import pytest

from ledger.model.catalogue import Catalogue, Entry
from ledger.model.record import Record
from ledger.model.records.retraction import Retraction
from ledger.model.records.review import Review
from ledger.model.records.source import Source
from ledger.model.records.waiver import Waiver
from tests.record_fixtures import make

HASH = f"m1:{'0' * 64}"


def waiver(record_id: str, **fields: Any) -> Waiver:
    """A waiver, the smallest record that can be superseded."""
    body = {"id": record_id, "rule": "LEDG042", "target": "page", "reason": "r", "until": "2025-12-31", "by": "E. Ditor"}
    return Waiver.model_validate(body | fields)


def replacing(record_id: str, older: str) -> Waiver:
    """A waiver that supersedes another."""
    return waiver(record_id, supersedes={"id": older, "because": "change", "reason": "r"})


def retraction(record_id: str, target: str) -> Retraction:
    """A retraction of a record."""
    return Retraction.model_validate({"id": record_id, "target": target, "reason": "r", "retracted_on": "2025-03-01"})


def review(record_id: str, target: str) -> Review:
    """A review of a record."""
    body = {"target": target, "target_meaning": HASH, "reviewer": "R", "reviewed_on": "2025-02-01", "aspects": ["locator"]}
    return Review.model_validate({"id": record_id, "verdict": "accepted", **body})


def catalogue(*records: Record, unread: tuple[tuple[str, str], ...] = ()) -> Catalogue:
    """A catalogue of these records, each read from a file of its own."""
    return Catalogue([Entry(record, f"{record.id}.toml", ("waiver", 0)) for record in records], unread)


def test_an_id_that_is_used_twice_or_could_not_be_read_is_found_by_nobody() -> None:
    found = catalogue(waiver("a"), waiver("b"), waiver("b", reason="other"), waiver("c"), unread=(("c", "c.toml"),))
    assert list(found.by_id) == ["a"]
    assert len(found) == 4
    assert [entry.record.id for entry in found] == ["a", "b", "b", "c"]
    assert found.unread == {"c": "c.toml"}


def test_a_record_is_found_by_id_and_kind() -> None:
    found = catalogue(waiver("a"))
    assert found.get("a", Waiver) == waiver("a")
    assert found.get("a", Review) is None
    assert found.get("b", Waiver) is None


def test_records_of_a_kind_come_in_order_of_id() -> None:
    found = catalogue(waiver("b"), retraction("r", "b"), waiver("a"))
    assert [record.id for record in found.of(Waiver)] == ["a", "b"]


def test_a_retracted_successor_supersedes_nothing() -> None:
    assert catalogue(waiver("a"), replacing("b", "a")).successors["a"].record.id == "b"
    assert catalogue(waiver("a"), replacing("b", "a"), retraction("r", "b")).successors == {}


def test_what_was_taken_back_is_found_by_the_id_of_what_it_was() -> None:
    assert catalogue(waiver("a"), retraction("r", "a")).retractions["a"].record.id == "r"


def test_reviews_of_a_record_come_in_order_and_without_those_taken_back() -> None:
    found = catalogue(review("z", "a"), review("x", "a"), review("y", "a"), retraction("r", "y"))
    assert [record.id for record in found.reviews["a"]] == ["x", "z"]
    assert "b" not in found.reviews


@pytest.mark.parametrize(("field", "message"), [(("until",), "a: until: it is over."), ((), "a: it is over.")])
def test_a_problem_names_the_record_the_field_and_its_place_in_the_file(field: tuple[str, ...], message: str) -> None:
    [entry] = catalogue(waiver("a"))
    problem = entry.problem("LEDG073", field, "it is over.", remedy="Remove it.", severity="warning")
    assert (problem.message, problem.path, problem.field, problem.record) == (message, "a.toml", ("waiver", 0, *field), "a")
    assert problem.severity == "warning"


def test_a_retraction_that_was_taken_back_counts_no_longer_and_its_target_stands_again() -> None:
    retractions = [make(Retraction, "r", target="page"), make(Retraction, "s", target="r")]
    catalogue = Catalogue(Entry(record, record.id) for record in (make(Source, "page"), *retractions))
    assert set(catalogue.retractions) == {"r"}
    thrice = Catalogue([*catalogue.entries, Entry(make(Retraction, "t", target="s"), "t")])
    assert set(thrice.retractions) == {"page", "s"}


def test_retractions_in_a_circle_take_nothing_back() -> None:
    circle = [make(Retraction, "r", target="s"), make(Retraction, "s", target="r"), make(Retraction, "t", target="page")]
    assert set(Catalogue(Entry(record, record.id) for record in circle).retractions) == {"page"}
