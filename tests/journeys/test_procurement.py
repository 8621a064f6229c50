"""A buyer's day: dated prices with their units, the same answer with and without the index, out to a spreadsheet."""

import csv
import io
import json
import shutil
from datetime import date

from tests.journeys.conftest import OwnLedger


def test_a_price_follows_its_day(own_ledger: OwnLedger) -> None:
    """The same item costs what was known on the day asked for; every figure has its currency and unit."""
    item = "aws/p5.48xlarge/us-east-1/on-demand"
    seen = {}
    for day in ("2024-02-01", "2026-11-30"):
        done = own_ledger.run("costs", "--item", item, "--as-of", day, "--format", "json")
        [row] = json.loads(done.stdout)
        assert date.fromisoformat(row["observed_on"]) <= date.fromisoformat(day)
        assert (row["currency"], row["per"]) == ("USD", "instance-hour")
        seen[day] = row["amount"]
    assert len(set(seen.values())) == 2


def test_the_index_changes_no_answer(own_ledger: OwnLedger) -> None:
    asked = (
        ("costs", "--provider", "AWS", "--as-of", "2024-05-01"),
        ("claims", "--label", "proposed"),
        ("sources", "--relation", "author"),
    )
    with_index = [own_ledger.run(*query, "--format", "json").stdout for query in asked]
    shutil.rmtree(own_ledger.root / ".ledger")
    assert [own_ledger.run(*query, "--format", "json").stdout for query in asked] == with_index
    assert all(json.loads(text) for text in with_index)


def test_csv_opens_in_a_spreadsheet(own_ledger: OwnLedger) -> None:
    done = own_ledger.run("costs", "--gpu", "L4", "--all", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert rows
    assert all(row["currency"] and row["per"] and row["source"] for row in rows)
    assert not any(cell.startswith(("=", "+", "@")) for row in rows for cell in row.values())


def test_lists_fit_a_terminal_of_80_columns(own_ledger: OwnLedger) -> None:
    for query in (("costs",), ("claims", "--all"), ("sources",), ("protocols",), ("show", "vllm-blog-2024-high-qps-slowdown")):
        done = own_ledger.run(*query)
        assert done.returncode == 0, done.stderr
        assert max(len(line) for line in done.stdout.splitlines()) <= 80, query
