"""Derived prices: exact, named, and only where the record states what they need (case C37)."""

from decimal import Decimal

import pytest

from ledger.analysis.prices.pricing import Range, money_text, price_per_gpu_hour, price_per_million_tokens, price_text
from ledger.model.catalogue import Catalogue, Entry
from ledger.render.article.document import render_markdown
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
    assert price_per_gpu_hour(cost("x", **fields)) == expected


def test_price_per_million_tokens_pairs_low_with_fast() -> None:
    price = price_per_million_tokens(Range(Decimal(1), Decimal(2)), 8, Range(Decimal(2000), Decimal(4000)))
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


def test_a_price_table_tells_why_an_entry_may_not_be_relied_on() -> None:
    prices = [
        cost("p-1", item="cloud/h100-8x/us-east-1/on-demand"),
        cost("p-2", item="cloud/a100-8x/us-east-1/on-demand", standing={"state": "refuted", "reason": "the list says otherwise"}),
        cost("p-3", item="cloud/l4/us-east-1/on-demand", standing={"state": "refuted", "reason": "the list says otherwise"}),
        cost("p-4", item="cloud/t4", standing={"state": "anomalous", "reason": "Stale."}, amount="1.10", currency="EUR"),
    ]
    catalogue = Catalogue(Entry(record, "x") for record in (*prices, source("price-list")))
    block = '```prices\ncaption = "All."\nids = ["p-1", "p-2", "p-3", "p-4"]\n```'
    body = render_markdown(make_article(block, side="pricing"), catalogue, path="x").body
    rows = [line for line in body.split("\n") if line.startswith("| cloud")]
    assert rows == [
        "| cloud/h100-8x | 98.32\u00a0USD | 12.29\u00a0USD | 2026-01-01 | list[1](#source-1) |",
        "| cloud/a100-8x | 98.32\u00a0USD | 12.29\u00a0USD | 2026-01-01 | list[1](#source-1), refuted\u00a0(a) |",
        "| cloud/l4 | 98.32\u00a0USD | 12.29\u00a0USD | 2026-01-01 | list[1](#source-1), refuted\u00a0(a) |",
        "| cloud/t4 | 1.10\u00a0EUR | 0.1375\u00a0EUR | 2026-01-01 | list[1](#source-1), anomalous\u00a0(b) |",
    ]
    assert "\n\n*Note.* (a) The list says otherwise. (b) Stale.\n" in body
