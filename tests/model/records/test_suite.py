"""A suite names its items by file, hash and count; all of it is its meaning."""

from typing import Any

import pytest
from pydantic import ValidationError

from ledger.model.records.suite import Suite
from tests.conftest import DEFAULTS


def suite(**fields: Any) -> Suite:
    """A suite of one item."""
    return Suite.model_validate({"id": "answers", **DEFAULTS["suite"], **fields})


@pytest.mark.parametrize("fields", [{"count": 0}, {"sha256": "abc"}, {"items": ""}, {"permission": None}])
def test_a_suite_that_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        suite(**fields)


def test_other_items_are_another_meaning() -> None:
    assert suite(sha256="1" * 64).meaning() != suite().meaning()
    assert suite(author="A").meaning() == suite().meaning()
