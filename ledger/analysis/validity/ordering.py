"""The order of a list by one field: numbers by size, dates by time whatever their precision, text without case."""

from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TypeVar

from ledger.model.values.values import PartialDate

Item = TypeVar("Item")
_MISSING = (None, "", "unknown")


def sort_by(items: Iterable[Item], value: Callable[[Item], object], *, descending: bool = False) -> list[Item]:
    """Return items in the order of a value; those without one come last in either direction, equals keep their order."""
    keyed = [(_key(value(item)), item) for item in items]
    present = [(key, item) for key, item in keyed if key is not None]
    present.sort(key=lambda pair: pair[0], reverse=descending)
    return [item for _, item in present] + [item for key, item in keyed if key is None]


def _key(value: object) -> tuple[int, Decimal, str] | None:
    """A key that any two values share: numbers before times before text; None for a missing value."""
    if isinstance(value, PartialDate):
        return (1, Decimal(0), str(value))
    if isinstance(value, datetime):
        return (1, Decimal(0), value.astimezone(UTC).isoformat())
    if isinstance(value, date):
        return (1, Decimal(0), value.isoformat())
    if value in _MISSING:
        return None
    if isinstance(value, int | float | Decimal):
        return (0, Decimal(str(value)), "")
    return (2, Decimal(0), str(value).casefold())
