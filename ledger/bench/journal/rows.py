"""Rows of evidence, requests and suite answers, made from their fields by name."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from ledger.bench.plan.suite_results import SuiteAnswer
from ledger.model.trace import RequestTrace

Row = TypeVar("Row", RequestTrace, SuiteAnswer)


def row_from(kind: type[Row], values: Mapping[str, Any]) -> Row:
    """Return a row from its fields by name, lists as tuples; names that the row type does not have are left out.

    Raises:
        KeyError: a field is missing.
    """
    return kind(**{field.name: as_tuple(values[field.name]) for field in fields(kind)})


def as_tuple(value: Any) -> Any:
    """Return a list as a tuple, anything else as it is."""
    return tuple(value) if isinstance(value, list) else value
