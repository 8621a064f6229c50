"""Tables of prices in documents: what stands in a row, what a derived price is made of, which entries are chosen."""

from ledger.model.catalogue import Catalogue, Entry
from tests.render.conftest import claim, cost, make_article, make_document, source


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
    body = make_document(make_article(prose, side="pricing"), catalogue).body
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
    body = make_document(make_article(block, side="pricing"), catalogue).body
    rows = [line for line in body.split("\n") if line.startswith("| cloud")]
    assert rows == [
        "| cloud/h100-8x | 98.32\u00a0USD | 12.29\u00a0USD | 2026-01-01 | list[1](#source-1) |",
        "| cloud/a100-8x | 98.32\u00a0USD | 12.29\u00a0USD | 2026-01-01 | list[1](#source-1), refuted\u00a0(a) |",
        "| cloud/l4 | 98.32\u00a0USD | 12.29\u00a0USD | 2026-01-01 | list[1](#source-1), refuted\u00a0(a) |",
        "| cloud/t4 | 1.10\u00a0EUR | 0.1375\u00a0EUR | 2026-01-01 | list[1](#source-1), anomalous\u00a0(b) |",
    ]
    assert "\n\n*Note.* (a) The list says otherwise. (b) Stale.\n" in body


def test_a_series_leaves_out_what_a_correction_replaced_and_a_current_table_has_one_row_an_offer() -> None:
    corrected = {"id": "p-2", "because": "correction", "reason": "Misread."}
    prices = [
        cost("p-1", amount="90.00", effective_from="2025-01-01"),
        cost("p-2", amount="9.80", effective_from="2025-06-01"),
        cost("p-3", amount="98.00", effective_from="2025-06-01", supersedes=corrected),
        cost("p-4", amount="1.00", effective_from="2025-06-01", gpu="H100 NVL"),
    ]
    catalogue = Catalogue(Entry(record, "x") for record in (*prices, source("price-list")))

    def amounts(condition: str) -> list[str]:
        block = f'```prices\ncaption = "H100."\ngpu = "h100"\n{condition}\n```'
        body = make_document(make_article(block, side="pricing"), catalogue).body
        return [amount for amount in ("90.00", "9.80", "98.00", "1.00") if f" {amount}" in body]

    assert amounts("") == ["90.00", "98.00"]
    assert amounts("current = true") == ["98.00"]
