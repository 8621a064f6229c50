"""The order of a list by one field, whatever stands in it."""

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

from ledger.analysis.validity.ordering import sort_by
from ledger.model.values.values import PartialDate


def test_times_of_any_precision_sort_without_an_error() -> None:
    """C26: two zones for one instant, a day alone, and nothing."""
    west = datetime(2026, 3, 1, 22, 30, tzinfo=timezone(timedelta(hours=-6)))
    values: list[object] = [PartialDate("2026-03"), datetime(2026, 3, 2, 4, 30, tzinfo=UTC), west, date(2026, 3, 1), None, "unknown", ""]
    assert sort_by(values, lambda value: value) == [values[0], values[3], values[1], values[2], None, "unknown", ""]
    assert sort_by(values, lambda value: value, descending=True)[-3:] == [None, "unknown", ""]


def test_numbers_sort_by_size() -> None:
    assert sort_by([Decimal("10.5"), Decimal("9"), 10], lambda value: value) == [Decimal("9"), 10, Decimal("10.5")]


def test_text_sorts_without_case_after_numbers_and_times() -> None:
    values: list[object] = ["beta", "Alpha", date(2026, 1, 1), 3]
    assert sort_by(values, lambda value: value) == [3, date(2026, 1, 1), "Alpha", "beta"]
    assert sort_by(values, lambda value: value, descending=True) == ["beta", "Alpha", date(2026, 1, 1), 3]


def test_equals_keep_their_order_in_either_direction() -> None:
    pairs = [("a", 1), ("b", 0), ("c", 1)]
    assert [name for name, _ in sort_by(pairs, lambda pair: pair[1])] == ["b", "a", "c"]
    assert [name for name, _ in sort_by(pairs, lambda pair: pair[1], descending=True)] == ["a", "c", "b"]
