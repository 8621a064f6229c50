"""Derived prices: exact, named, and only where the record states what they need (case C37)."""

from decimal import Decimal

import pytest

from ledger.analysis.pricing import Range, gpu_hour, money_text, per_million_tokens, price_text
from ledger.model.catalogue import Catalogue, Entry
from ledger.render.document import render_markdown
from tests.render.conftest import claim, cost, make_article, source


def one(value: str) -> Range:
    return Range(Decimal(value), Decimal(value))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, one("12.29")),
        ({"per": "gpu-hour", "amount": "2.00"}, one("2.00")),
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
    assert gpu_hour(cost("x", **fields)) == expected


def test_price_per_million_tokens_pairs_low_with_fast() -> None:
    price = per_million_tokens(Range(Decimal(1), Decimal(2)), 8, Range(Decimal(2000), Decimal(4000)))
    assert money_text(price, "USD") == "0.5556 to 2.2222\u00a0USD"


def test_how_prices_print() -> None:
    assert price_text(cost("x", amount="12345.6")) == "12\u202f345.6\u00a0USD per instance-hour"
    assert price_text(cost("x", amount="unknown")) is None
    assert money_text(one("3"), "unknown") == "3\u00a0of unknown currency"


def test_unit_costs_name_their_tokens_and_what_they_are_made_of() -> None:
    quantities = [
        {"name": "output", "metric": "output-throughput", "value": "4000", "unit": "tok/s"},
        {"name": "total", "metric": "total-throughput", "value": "20000", "unit": "tok/s"},
    ]
    rate = claim("e-3701", statement="It delivered {output} of output and {total} in all.", quantities=quantities)
    price = cost("p-3702", amount="2.00", per="gpu-hour")
    catalogue = Catalogue(Entry(record, "x") for record in (rate, price, source("vendor-blog"), source("price-list")))
    prose = (
        '```unit-cost\ncaption = "Derived."\ncost = "p-3702"\ngpus = 8\n'
        'throughputs = { "output tokens" = "e-3701#output", "total tokens" = "e-3701#total" }\n```'
    )
    body = render_markdown(make_article(prose, side="pricing"), catalogue, path="x").body
    assert "1.1111\u00a0USD per million output tokens" in body
    assert "0.2222\u00a0USD per million total tokens" in body
    assert "8 x 2.00\u00a0USD per GPU-hour, on-demand, from 2026-01-01" in body
