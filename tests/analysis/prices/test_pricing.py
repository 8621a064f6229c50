"""Derived prices: exact, named, and only where the record states what they need (case C37); how a price prints."""

from decimal import Decimal
from typing import get_args

import pytest

from ledger.analysis.prices.pricing import (
    PER_WORDS,
    Range,
    gpu_hour_text,
    money_text,
    plain_price_text,
    price_per_gpu_hour,
    price_per_million_tokens,
    price_text,
    stated_price,
)
from ledger.model.records.cost import Cost, Per
from tests.record_fixtures import make

INSTANCE: dict[str, object] = {"amount": "98.32", "per": "instance-hour", "gpus_per_instance": 8}


def exactly(value: str) -> Range:
    return Range(Decimal(value), Decimal(value))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, exactly("12.29")),
        ({"per": "gpu-hour", "amount": "2.00"}, exactly("2.00")),
        ({"amount": None, "low": "80", "high": "96"}, Range(Decimal(10), Decimal(12))),
        ({"includes_host": False}, None),
        ({"includes_host": "unknown"}, None),
        ({"gpus_per_instance": "unknown"}, None),
        ({"per": "accelerator-hour"}, None),
        ({"per": "unit"}, None),
        ({"amount": "unknown"}, None),
        ({"currency": "unknown"}, None),
    ],
)
def test_price_per_gpu_hour(fields: dict[str, object], expected: Range | None) -> None:
    assert price_per_gpu_hour(make(Cost, "x", **{**INSTANCE, **fields})) == expected


def test_price_per_million_tokens_pairs_low_with_fast() -> None:
    price = price_per_million_tokens(Range(Decimal(1), Decimal(2)), 8, Range(Decimal(2000), Decimal(4000)))
    assert money_text(price, "USD") == "0.5556 to 2.2222\u00a0USD"


@pytest.mark.parametrize(
    ("fields", "document", "terminal"),
    [
        ({}, "2.50\u00a0USD per GPU-hour", "2.50 USD per gpu-hour"),
        ({"amount": "12345.6", "per": "unit"}, "12\u202f345.6\u00a0USD per unit", "12345.6 USD per unit"),
        ({"amount": None, "low": "1.10", "high": "1.90"}, "1.10 to 1.90\u00a0USD per GPU-hour", "1.10 to 1.90 USD per gpu-hour"),
        ({"currency": "unknown"}, "2.50\u00a0of unknown currency per GPU-hour", "2.50 (currency unknown) per gpu-hour"),
        ({"per": "million-input-tokens"}, "2.50\u00a0USD per million input tokens", "2.50 USD per million-input-tokens"),
        ({"amount": "unknown"}, None, "no price stated"),
    ],
)
def test_how_a_price_prints_in_documents_and_in_lists(fields: dict[str, object], document: str | None, terminal: str) -> None:
    cost = make(Cost, "x", **fields)
    assert price_text(cost) == document
    assert plain_price_text(cost) == terminal


def test_a_derived_price_names_its_unit_and_none_is_made_up() -> None:
    assert gpu_hour_text(make(Cost, "x", **INSTANCE)) == "12.29\u00a0USD per GPU-hour"
    assert gpu_hour_text(make(Cost, "x", **{**INSTANCE, "includes_host": False})) is None


@pytest.mark.parametrize(
    ("derived", "printed"),
    [
        ("12.29125", "12.2912"),
        ("0.00015", "0.0002"),
        ("0.00000041666666", "0.000000417"),
        ("0", "0"),
        ("9" * 30 + ".123456", "\u202f".join(["999"] * 10) + ".1235"),
    ],
)
def test_derived_digits_are_cut_to_four_places_half_to_even_but_never_to_nothing(derived: str, printed: str) -> None:
    assert money_text(Range(Decimal(derived), Decimal(derived), is_derived=True), "USD") == f"{printed}\u00a0USD"


@pytest.mark.parametrize("amount", ["0.000049", "0.115950", "0.00000025", "0." + "0" * 40 + "1"])
def test_a_stated_price_prints_digit_for_digit(amount: str) -> None:
    assert price_text(make(Cost, "x", amount=amount)) == f"{amount}\u00a0USD per GPU-hour"
    assert plain_price_text(make(Cost, "x", amount=amount)) == f"{amount} USD per gpu-hour"


def test_an_amount_of_unknown_currency_says_so() -> None:
    assert money_text(exactly("3"), "unknown") == "3\u00a0of unknown currency"


def test_a_price_is_an_amount_or_a_range_or_not_stated() -> None:
    assert stated_price(make(Cost, "x")) == exactly("2.50")
    assert stated_price(make(Cost, "x", amount=None, low="1", high="2")) == Range(Decimal(1), Decimal(2))
    assert stated_price(make(Cost, "x", amount="unknown")) is None
    assert stated_price(make(Cost, "x", amount=None, low="1")) is None


def test_every_unit_of_a_price_has_its_words() -> None:
    assert PER_WORDS.keys() == set(get_args(Per))
