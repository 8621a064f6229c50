"""A waiver silences one rule about one record until a day."""

from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError

from ledger.model.records.waiver import Waiver
from tests.conftest import DEFAULTS


def waiver(**fields: Any) -> Waiver:
    """A waiver of one rule."""
    return Waiver.model_validate({"id": "let-it", **DEFAULTS["waiver"], **fields})


@pytest.mark.parametrize("rule", ["LEDG42", "LEDG0421", "ledg042", "ABCD042", ""])
def test_a_rule_is_named_by_its_code(rule: str) -> None:
    with pytest.raises(ValidationError, match="rule"):
        waiver(rule=rule)


def test_it_ends_on_a_whole_day() -> None:
    assert waiver(until="2025-12-31").until == date(2025, 12, 31)
    with pytest.raises(ValidationError, match="until"):
        waiver(until="2025-12")
