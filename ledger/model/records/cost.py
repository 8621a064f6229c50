"""A cost: one dated price, with everything that makes it comparable stated or explicitly unknown."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StrictBool, StrictInt

from ledger.model.record import Part, Record
from ledger.model.values.values import Currency, Day, Exact, PartialDate, Slug, Text, Unknown

Basis = Literal["list", "transcription", "quote", "contract", "observation", "estimate"]
PriceKind = Literal["on-demand", "spot", "reserved", "committed", "purchase", "energy"]
Per = Literal[
    "instance-hour",
    "gpu-hour",
    "accelerator-hour",
    "host-hour",
    "unit",
    "month",
    "kWh",
    "million-input-tokens",
    "million-cached-tokens",
    "million-output-tokens",
]


def _require_positive(amount: Exact) -> Exact:
    if amount <= 0:
        raise ValueError(f'got "{amount}", expected a decimal above 0')
    return amount


Amount = Annotated[Exact, AfterValidator(_require_positive)]


class Commitment(Part):
    """What the buyer binds himself to."""

    months: Annotated[StrictInt, Field(ge=1)] | Unknown
    upfront: Literal["none", "partial", "all"] | Unknown
    minimum: Text | None = None


class Standing(Part):
    """Whether the entry may be relied on; anything but `sound` says why."""

    state: Literal["sound", "anomalous", "refuted", "withdrawn"]
    reason: Text | None = None


class Cost(Record):
    """What one item cost, where, on which terms and as of when."""

    KIND = "cost"
    MEANING = (
        "item",
        "provider",
        "basis",
        "standing",
        "price_kind",
        "amount",
        "low",
        "high",
        "currency",
        "per",
        "gpu",
        "gpus_per_instance",
        "includes_host",
        "region",
        "zone",
        "term",
        "commitment",
        "discounts",
        "tier",
        "tax",
        "scope",
        "effective_from",
        "effective_to",
        "observed_on",
        "source",
        "locator",
        "conflicts_with",
    )

    item: Text
    """Stable key of what is sold; entries of one item at several dates form a series."""
    provider: Text
    basis: Basis
    standing: Standing
    price_kind: PriceKind
    amount: Amount | Unknown | None = None
    """The price; `unknown` where the source names none; absent where `low` and `high` are given."""
    low: Amount | None = None
    high: Amount | None = None
    currency: Currency | Unknown
    per: Per
    gpu: Text | Literal["none"]
    gpus_per_instance: Annotated[StrictInt, Field(ge=0)] | Unknown
    includes_host: StrictBool | Unknown
    region: Text
    zone: Text | None = None
    term: Text
    commitment: Commitment | Literal["none"] | Unknown
    discounts: tuple[Text, ...] = ()
    tier: Text | None = None
    """The provider's own class of offer, such as secure or community."""
    tax: Literal["included", "excluded"] | Unknown
    scope: Literal["list", "account-specific"] | Unknown
    effective_from: PartialDate | Unknown
    effective_to: PartialDate | Literal["open"] | Unknown
    """`open`: until withdrawn. `unknown`: nothing says how long it held."""
    observed_on: Day | Unknown
    """The day somebody saw this price; valid time starts here where `effective_from` is unknown."""
    source: Slug
    locator: Text | None = None
    conflicts_with: tuple[Slug, ...] = ()
    author: Text | None = None

    @property
    def valid_from(self) -> Day | None:
        """The first day for which the price is known: its start, else the day it was observed."""
        if isinstance(self.effective_from, PartialDate):
            return self.effective_from.last
        return None if self.observed_on == "unknown" else self.observed_on
