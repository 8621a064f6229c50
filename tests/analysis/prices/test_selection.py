"""Which price is asked for, which holds on a day, and which of an offer counts."""

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from ledger.analysis.prices.selection import OFFER_FIELDS, PriceFilter, is_announced, latest_prices, offer_key, price_series, prices_on
from ledger.analysis.validity.validity import validity
from ledger.model.records.cost import Cost
from ledger.model.records.retraction import Retraction
from tests.record_fixtures import catalogue_of, make, supersedes

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

DAY = date(2025, 6, 1)
REFUTED = {"state": "refuted", "reason": "The list says otherwise."}
BOX = {"item": "cloud/h100/eu/on-demand", "provider": "Cloud", "region": "eu", "gpu": "H100 SXM 80GB", "price_kind": "on-demand"}


def seen(name: str, day: str, /, **fields: Any) -> Cost:
    """A price seen on a day, of which nothing says how long it holds."""
    return make(Cost, name, effective_from="unknown", effective_to="unknown", observed_on=day, **fields)


def ids(costs: list[Cost]) -> list[str]:
    return [cost.id for cost in costs]


FILTERS = [
    ({}, True),
    ({"provider": "CLOUD", "region": "Eu", "price_kind": "on-demand"}, True),
    ({"gpu": "h100 sxm 80gb"}, True),
    ({"gpu": "H100"}, False),
    ({"item": "cloud/h100"}, True),
    ({"item": "Cloud/H100/EU/on-demand"}, True),
    ({"item": "cloud/h1"}, False),
    ({"item": "cloud/%"}, False),
    ({"provider": "Cloud", "region": "us"}, False),
    ({"price_kind": "spot"}, False),
]


@pytest.mark.parametrize(("wanted", "expected"), FILTERS)
def test_a_filter_compares_whole_names_without_case_and_finds_below_an_item(wanted: dict[str, str], expected: bool) -> None:
    assert PriceFilter(**wanted).matches(make(Cost, "box", **BOX)) == expected


@pytest.mark.parametrize(("wanted", "expected"), FILTERS)
def test_lists_filter_as_tables_do(wanted: dict[str, str], expected: bool, ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add_page()
    ledger_folder.add("cost", "box", **BOX)
    assert (
        bool(
            ledger_folder.open().files.index.query(
                "cost", equal={k: v for k, v in wanted.items() if k != "item"}, prefix={k: v for k, v in wanted.items() if k == "item"}
            )
        )
        == expected
    )


@pytest.mark.parametrize("field", OFFER_FIELDS)
def test_an_offer_is_another_where_one_of_its_fields_differs(field: str) -> None:
    others = {"price_kind": "spot", "per": "month", "currency": "EUR", "commitment": "unknown", "scope": "unknown"}
    cost = make(Cost, "a")
    assert offer_key(cost) == offer_key(make(Cost, "b", amount="9", observed_on="2025-03-01", tax="included"))
    assert offer_key(cost) != offer_key(make(Cost, "b", **{field: others.get(field, "another")}))


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [("2025-01-01", "open", True), ("2025-01-01", "2026-01-01", True), ("unknown", "open", False), ("2025-01-01", "unknown", False)],
)
def test_a_price_is_announced_where_both_its_ends_are_stated(start: str, end: str, expected: bool) -> None:
    assert is_announced(make(Cost, "a", effective_from=start, effective_to=end)) == expected


def test_a_series_holds_what_held_on_some_day_up_to_the_day() -> None:
    costs = [
        seen("first", "2025-01-01"),
        seen("changed", "2025-03-01", supersedes=supersedes("first")),
        seen("wrong", "2025-04-01", item="demo/wrong"),
        seen("right", "2025-04-02", item="demo/wrong", supersedes=supersedes("wrong", "correction")),
        seen("taken-back", "2025-04-01", item="demo/back"),
        seen("undated", "unknown", item="demo/undated"),
        seen("on-the-day", "2025-06-01", item="demo/today"),
        seen("later", "2025-06-02", item="demo/later"),
        make(Cost, "over", effective_to="2025-02-01", item="demo/over"),
    ]
    among = catalogue_of(*costs, make(Retraction, "back", target="taken-back"))
    assert ids(price_series(among, costs, DAY)) == ["first", "changed", "right", "on-the-day", "over"]


def test_on_a_day_each_offer_has_the_one_price_that_began_last() -> None:
    costs = [
        seen("a-old", "2025-01-01", item="demo/a"),
        seen("b", "2025-02-01", item="demo/b"),
        seen("a-new", "2025-05-01", item="demo/a"),
        seen("a-later", "2025-07-01", item="demo/a"),
        make(Cost, "over", effective_to="2025-06-01", item="demo/over"),
    ]
    assert ids(prices_on(catalogue_of(*costs), costs, DAY)) == ["a-new", "b"]
    assert ids(prices_on(catalogue_of(*costs), costs, date(2025, 7, 1))) == ["a-later", "b"]


def test_a_price_that_is_not_sound_counts_only_where_no_sound_one_does() -> None:
    older, doubted = seen("older", "2025-01-01"), seen("doubted", "2025-05-01", standing=REFUTED)
    assert ids(prices_on(catalogue_of(older, doubted), [older, doubted], DAY)) == ["older"]
    assert ids(prices_on(catalogue_of(older, doubted), [doubted, older], DAY)) == ["older"]
    assert ids(prices_on(catalogue_of(doubted), [doubted], DAY)) == ["doubted"]


def test_of_two_prices_that_began_on_one_day_the_later_given_counts() -> None:
    costs = [seen("x", "2025-01-01"), seen("y", "2025-01-01")]
    among = catalogue_of(*costs)
    assert ids(latest_prices((cost, validity(among, cost)) for cost in costs)) == ["y"]
