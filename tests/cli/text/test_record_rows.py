"""Claims, sources, costs and matches as rows."""

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from ledger.cli.text.record_rows import match_listing
from ledger.store.index.fulltext import SearchMatch
from tests.cli.conftest import rows_of

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_a_claim_prints_its_quantities_and_when_it_holds(filled: "LedgerFolder", command: "Command") -> None:
    rows = {row["id"]: row for row in rows_of(command, "claims", "--all")}
    gain = rows["gain"]
    assert (gain["statement"], gain["quantities"]) == ("A gain of up to 2.8x.", {"gain": "up to 2.8x"})
    assert (gain["relation"], gain["url"], gain["asserted_on"]) == ("supplier", "https://demo.example/p", "2025-01-10")
    assert (gain["state"], gain["replaced_by"], gain["valid_from"], gain["valid_to"]) == ("superseded", "later", "2025-01-10", "2025-03-01")
    assert gain["record"]["quantities"][0]["value"] == "2.8"


@pytest.mark.parametrize(
    ("fields", "price"),
    [
        ({"amount": "2.50"}, "2.50 USD per gpu-hour"),
        ({"amount": None, "low": "2", "high": "3.5"}, "2 to 3.5 USD per gpu-hour"),
        ({"amount": "unknown"}, "no price stated"),
        ({"amount": "2.50", "currency": "unknown"}, "2.50 (currency unknown) per gpu-hour"),
    ],
)
def test_an_amount_stands_with_its_currency_and_unit(
    fields: dict[str, Any], price: str, ledger_folder: "LedgerFolder", command: "Command"
) -> None:
    ledger_folder.add_page()
    ledger_folder.add("cost", "box", **fields)
    [row] = rows_of(command, "costs")
    assert (row["price"], row["amount"], row["low"]) == (price, fields["amount"], fields.get("low"))
    assert (row["standing"], row["observed_on"], row["effective_to"]) == ("sound", "2025-01-02", "open")


def test_a_match_has_its_state_on_the_day(filled: "LedgerFolder") -> None:
    path = "records/claims/gain.toml"
    match = SearchMatch(id="gain", kind="claim", label="vendor-claimed", title="A title", snippet=" a gain \n", path=path)
    for day, state in ((date(2025, 2, 1), "current"), (date(2025, 4, 1), "superseded")):
        [row] = match_listing(filled.catalogue(), [match], day).rows
        assert (row["state"], row["snippet"], row["path"]) == (state, "a gain", "records/claims/gain.toml")
