"""Answers in the order of a field, and no more than were asked for."""

from datetime import date
from typing import Any

import pytest

from ledger.analysis.validity.validity import Validity
from ledger.errors import UsageError
from ledger.model.record import Record
from ledger.model.records.cost import Cost
from ledger.store.index.answers import Answer, arrange
from tests.conftest import DEFAULTS


def answer(record_id: str, amount: str, starts_on: date | None = None) -> Answer:
    """A price and from when it holds."""
    record = Cost.model_validate({**DEFAULTS["cost"], "id": record_id, "amount": amount})
    return Answer(record, Validity(starts_on, None), f"records/{record_id}.toml")


ANSWERS = [answer("a", "10.5", date(2025, 3, 1)), answer("b", "9"), answer("c", "unknown", date(2025, 1, 1))]


def landed(record: Record) -> str:
    """The day on which a record landed."""
    return {"a": "2025-02-01", "b": "unrecorded", "c": "2025-01-01"}[record.id]


def ids(**asked: Any) -> list[str]:
    """The ids of the answers arranged."""
    return [found.record.id for found in arrange("cost", ANSWERS, **{"sort": None, "limit": None, "recorded_on": landed} | asked)]


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        (None, ["a", "b", "c"]),
        ("amount", ["b", "a", "c"]),  # numbers, not texts; what is unknown comes last
        ("-amount", ["a", "b", "c"]),
        ("valid_from", ["c", "a", "b"]),
        ("-path", ["c", "b", "a"]),
        ("recorded_on", ["c", "a", "b"]),
    ],
)
def test_they_come_in_the_order_of_a_field(sort: str | None, expected: list[str]) -> None:
    assert ids(sort=sort) == expected


def test_a_limit_cuts_after_sorting() -> None:
    assert ids(sort="amount", limit=1) == ["b"]
    assert ids(limit=9) == ["a", "b", "c"]


def test_an_unknown_field_and_a_limit_of_nothing_are_refused() -> None:
    with pytest.raises(UsageError, match=r"a cost has no amout\. Did you mean amount"):
        ids(sort="-amout")
    with pytest.raises(UsageError, match="Use one of"):
        ids(sort="zzzzzz")
    with pytest.raises(UsageError, match="got 0, expected 1 or more"):
        ids(limit=0)
