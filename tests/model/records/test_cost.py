"""A cost: amounts are positive, and it holds from its start or else from the day somebody saw it."""

from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError

from ledger.model.records.cost import Cost
from tests.conftest import DEFAULTS


def cost(**fields: Any) -> Cost:
    """A list price per GPU-hour."""
    return Cost.model_validate({"id": "it", **DEFAULTS["cost"], **fields})


@pytest.mark.parametrize("amount", ["0", "-2.10", 2.5, "2,50"])
def test_an_amount_is_an_exact_decimal_above_nothing(amount: object) -> None:
    with pytest.raises(ValidationError, match="expected"):
        cost(amount=amount)


def test_a_price_that_the_source_does_not_name_is_unknown() -> None:
    assert cost(amount="unknown").amount == "unknown"


@pytest.mark.parametrize(
    ("effective_from", "observed_on", "day"),
    [
        ("2025-02-03", "2025-05-01", date(2025, 2, 3)),
        ("2025-02", "2025-05-01", date(2025, 2, 28)),  # known to the month: it surely held by its last day
        ("unknown", "2025-05-01", date(2025, 5, 1)),
        ("unknown", "unknown", None),
    ],
)
def test_the_first_day_for_which_the_price_is_known(effective_from: str, observed_on: str, day: date | None) -> None:
    assert cost(effective_from=effective_from, observed_on=observed_on).valid_from == day


@pytest.mark.parametrize("fields", [{"per": "day"}, {"currency": "usd"}, {"gpus_per_instance": -1}, {"commitment": {"months": 0}}])
def test_terms_that_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        cost(**fields)


@pytest.mark.parametrize(
    ("field", "loose"),
    [("gpus_per_instance", True), ("gpus_per_instance", 1.0), ("gpus_per_instance", "8"), ("includes_host", "yes"), ("includes_host", 1)],
)
def test_a_value_of_another_type_is_refused_and_not_made_to_fit(field: str, loose: object) -> None:
    with pytest.raises(ValidationError):
        cost(**{field: loose})
