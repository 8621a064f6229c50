"""The line of supersession: from any record of it, over forks, circles and what cannot be read."""

import pytest

from ledger.analysis.validity.supersession import entries_about, is_replaced, last_successor, predecessors, supersession_of
from ledger.model.catalogue import Catalogue
from ledger.model.records.claim import Claim
from ledger.model.records.retraction import Retraction
from ledger.model.records.review import Review
from ledger.model.records.waiver import Waiver
from tests.record_fixtures import catalogue_of, make, supersedes


def line(*steps: tuple[str, str, str]) -> Catalogue:
    """A catalogue of claims; each step is an id, the id that it supersedes and why, both empty for the first."""
    return catalogue_of(*(make(Claim, name, supersedes=supersedes(old, because) if old else None) for name, old, because in steps))


def ids(catalogue: Catalogue, record_id: str) -> list[str]:
    return [entry.record.id for entry in supersession_of(catalogue, record_id)]


@pytest.mark.parametrize("asked", ["first", "second", "third"])
def test_the_whole_line_is_found_from_any_record_of_it_oldest_first(asked: str) -> None:
    among = line(("third", "second", "change"), ("first", "", ""), ("second", "first", "correction"), ("other", "", ""))
    assert ids(among, asked) == ["first", "second", "third"]


def test_both_branches_of_a_fork_are_in_the_line() -> None:
    among = line(("old", "", ""), ("branch-b", "old", "change"), ("branch-a", "old", "change"))
    assert ids(among, "branch-b") == ["old", "branch-a", "branch-b"]


def test_a_circle_comes_to_an_end_and_what_leads_into_it_comes_last() -> None:
    among = line(("a", "b", "change"), ("b", "a", "change"), ("c", "a", "change"))
    assert ids(among, "a") == ["b", "a", "c"]
    assert predecessors(among, among.by_id["a"]) == ["b", "a"]
    assert predecessors(among, among.by_id["c"]) == ["a", "b"]


def test_a_predecessor_that_cannot_be_read_ends_the_line() -> None:
    among = line(("new", "gone", "change"))
    assert ids(among, "new") == ["new"]
    assert predecessors(among, among.by_id["new"]) == ["gone"]


def test_the_last_successor_and_the_last_correction() -> None:
    among = line(("a", "", ""), ("b", "a", "correction"), ("c", "b", "change"), ("d", "c", "correction"))
    first = among.by_id["a"].record
    assert last_successor(among, first).id == "d"
    assert last_successor(among, first, corrections_only=True).id == "b"
    assert last_successor(among, among.by_id["d"].record) is among.by_id["d"].record


def test_a_circle_has_a_last_successor_too() -> None:
    among = line(("a", "b", "correction"), ("b", "a", "correction"))
    assert last_successor(among, among.by_id["a"].record).id == "b"


def test_a_successor_that_was_retracted_replaces_nothing() -> None:
    old, new = make(Claim, "old"), make(Claim, "new", supersedes=supersedes("old"))
    assert is_replaced(catalogue_of(old, new), "old")
    among = catalogue_of(old, new, make(Retraction, "back", target="new"))
    assert [is_replaced(among, name) for name in ("old", "new", "back")] == [False, True, False]
    assert ids(among, "old") == ["old", "new"]


def test_what_is_about_a_record_in_order_of_id() -> None:
    records = [make(Waiver, "w", target="said"), make(Review, "r", target="said"), make(Retraction, "b", target="other")]
    among = catalogue_of(make(Claim, "said"), make(Claim, "other"), *records)
    assert [entry.record.id for entry in entries_about(among, "said")] == ["r", "w"]
