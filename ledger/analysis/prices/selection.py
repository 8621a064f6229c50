"""Which price holds: what two prices of one offer share, which of them counts on a day, and which a question asks for.

Lists of prices, tables in documents and the rule that one offer has one price on a day all ask here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from ledger.analysis.validity.validity import Validity, validity
from ledger.model.catalogue import Catalogue
from ledger.model.records.cost import Cost

OFFER_FIELDS = (
    *("item", "provider", "region", "zone", "price_kind", "per", "currency"),
    *("gpu", "term", "commitment", "tier", "scope"),
)
"""Two costs that differ in one of these are prices of two offers; else they are two prices of one, at two times."""


@dataclass(frozen=True, slots=True)
class PriceFilter:
    """What a price must be to be asked for; None does not narrow. Case does not count.

    The index of a ledger answers the same question in SQL (`store/index/record_columns.narrow`).
    """

    provider: str | None = None
    region: str | None = None
    gpu: str | None = None
    """The whole name: `L4` does not find `L40S`."""
    price_kind: str | None = None
    item: str | None = None
    """An item, or what its key begins with up to a slash: `aws/p5.48xlarge` finds `aws/p5.48xlarge/us-east-1/spot`."""

    def matches(self, cost: Cost) -> bool:
        """Whether a price is one that is asked for."""
        names = ("provider", "region", "gpu", "price_kind")
        pairs = ((getattr(self, name), getattr(cost, name)) for name in names)
        return all(wanted is None or wanted.casefold() == value.casefold() for wanted, value in pairs) and self._is_within_item(cost)

    def _is_within_item(self, cost: Cost) -> bool:
        if self.item is None:
            return True
        item, wanted = cost.item.casefold(), self.item.casefold()
        return item == wanted or item.startswith(f"{wanted}/")


def offer_key(cost: Cost) -> tuple[str, ...]:
    """Return what two costs share if they are two prices of one offer."""
    return tuple(repr(getattr(cost, name)) for name in OFFER_FIELDS)


def is_announced(cost: Cost) -> bool:
    """Whether both ends of a price's validity are stated, so that it may be quoted for a future date."""
    return "unknown" not in (cost.effective_from, cost.effective_to)


def price_series(catalogue: Catalogue, costs: Iterable[Cost], as_of: date) -> list[Cost]:
    """Return every price that held on some day up to `as_of`, inclusive, in the order given.

    A price that a correction replaced never held, nor did one that was retracted; of an undated one nobody knows.
    """
    return [cost for cost in costs if _has_held(validity(catalogue, cost), as_of)]


def _has_held(held: Validity, as_of: date) -> bool:
    return not held.void and held.starts_on is not None and held.starts_on <= as_of


def prices_on(catalogue: Catalogue, costs: Iterable[Cost], as_of: date) -> list[Cost]:
    """Return the one price of each offer that holds on a day; see `latest_prices` for which."""
    dated = [(cost, validity(catalogue, cost)) for cost in costs]
    return latest_prices((cost, held) for cost, held in dated if held.status(as_of) == "current")


def latest_prices(current: Iterable[tuple[Cost, Validity]]) -> list[Cost]:
    """Return, of prices that all hold on one day, the one of each offer that began last.

    Nothing says of most prices how long they hold, so that older ones of an offer hold beside newer ones. One whose
    standing is anomalous or refuted counts only where its offer has no other; a later withdrawal takes the place of a sound price, since
    the offer is no more. Offers keep the order of their first price.
    """
    latest: dict[tuple[str, ...], tuple[Cost, Validity]] = {}
    for cost, held in current:
        key = offer_key(cost)
        if key not in latest or _rank(cost, held) >= _rank(*latest[key]):
            latest[key] = (cost, held)
    return [cost for cost, _held in latest.values()]


def _rank(cost: Cost, held: Validity) -> tuple[bool, date]:
    return cost.standing.state in ("sound", "withdrawn"), held.starts_on or date.min
