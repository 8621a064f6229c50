"""Units and how numbers print with them."""

from decimal import Decimal

import pytest
from pydantic import TypeAdapter, ValidationError

from ledger.model.records.run import Measure
from ledger.model.values.units import MEASURE_DIMENSIONS, UNITS, Unit, plain, with_unit


@pytest.mark.parametrize(
    ("number", "unit", "text"),
    [
        ("2.8", "x", "2.8x"),
        ("42", "%", "42%"),
        ("12.0", "ms", "12.0\u00a0ms"),
        ("3", "count", "3"),
        ("0.7", "score", "0.7"),
        ("5", "samples", "5\u00a0samples"),
    ],
)
def test_a_number_with_its_unit(number: str, unit: str, text: str) -> None:
    assert with_unit(number, unit) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("9999", "9999"),
        ("10000", "10\u202f000"),
        ("-1234567.50", "-1\u202f234\u202f567.50"),
        ("0.00012", "0.00012"),
        ("1E+6", "1\u202f000\u202f000"),
        ("-9999", "-9999"),
    ],
)
def test_thousands_are_grouped_from_five_digits_on(value: str, text: str) -> None:
    assert plain(Decimal(value)) == text


def test_an_unknown_unit_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(ValidationError, match='got the unit "millisec", expected one of x, %, '):
        TypeAdapter(Unit).validate_python("millisec")


def test_every_unit_of_a_measure_has_a_dimension() -> None:
    schema = Measure.model_json_schema()["properties"]["unit"]
    assert set(schema["enum"]) == set(MEASURE_DIMENSIONS)


def test_units_of_one_dimension_can_be_brought_to_each_other() -> None:
    assert {unit for unit, dimension in UNITS.items() if dimension == "time"} == {"s", "ms", "us", "ns", "min", "h"}


def test_a_number_too_long_for_an_integer_is_grouped_too() -> None:
    assert plain(Decimal("9" * 6000)) == "\u202f".join(["999"] * 2000)
