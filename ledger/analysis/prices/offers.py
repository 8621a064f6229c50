"""What makes two prices prices of one offer: the fields in which two offers differ."""

from ledger.model.records.cost import Cost

FIELDS = (
    *("item", "provider", "region", "zone", "price_kind", "per", "currency"),
    *("gpu", "term", "commitment", "tier", "scope"),
)


def is_announced(cost: Cost) -> bool:
    """Whether a price says itself from when to when it holds, so that it can answer for a day to come."""
    return "unknown" not in (cost.effective_from, cost.effective_to)


def offer_key(cost: Cost) -> tuple[str, ...]:
    """Return what two costs share that are one offer at two dates."""
    return tuple(repr(getattr(cost, name)) for name in FIELDS)
