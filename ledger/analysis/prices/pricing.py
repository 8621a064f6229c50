"""Prices made comparable, exactly: per GPU-hour and per million tokens, and how an amount of money prints.

Nothing is derived where the record says unknown; a derived amount never replaces the one that the source states.
"""

from dataclasses import dataclass, field
from decimal import Decimal, localcontext

from ledger.model.records.cost import Cost
from ledger.model.values.units import plain
from ledger.model.values.values import decimal_text

SECONDS_PER_HOUR = Decimal(3600)
TOKENS = Decimal(1_000_000)
_PLACES = 4

PER_WORDS: dict[str, str] = {
    "instance-hour": "per instance-hour",
    "gpu-hour": "per GPU-hour",
    "accelerator-hour": "per accelerator-hour",
    "host-hour": "per host-hour",
    "unit": "per unit",
    "month": "per month",
    "kWh": "per kWh",
    "million-input-tokens": "per million input tokens",
    "million-cached-tokens": "per million cached tokens",
    "million-output-tokens": "per million output tokens",
}


@dataclass(frozen=True, slots=True)
class Range:
    """An amount, or the two ends between which it lies, both inclusive."""

    low: Decimal
    high: Decimal
    is_derived: bool = field(default=False, compare=False)
    """Whether we computed it; what a source states prints digit for digit."""

    def times(self, factor: Decimal) -> "Range":
        """Return both ends multiplied."""
        return Range(self.low * factor, self.high * factor, is_derived=True)

    def over(self, divisor: Decimal) -> "Range":
        """Return both ends divided."""
        return Range(self.low / divisor, self.high / divisor, is_derived=True)


def stated_price(cost: Cost) -> Range | None:
    """Return the price as the source states it; None where it names none."""
    if isinstance(cost.amount, Decimal):
        return Range(cost.amount, cost.amount)
    return Range(cost.low, cost.high) if cost.low is not None and cost.high is not None else None


def price_per_gpu_hour(cost: Cost) -> Range | None:
    """Return the price per GPU and hour with its host; None where that cannot be derived.

    An instance-hour is divided by the GPUs of the instance. An accelerator without its host, a host alone,
    a purchase and a month are different things and are not converted.
    """
    amount = stated_price(cost)
    if amount is None or cost.currency == "unknown" or cost.includes_host is not True:
        return None
    if cost.per == "gpu-hour":
        return amount
    if cost.per == "instance-hour" and isinstance(cost.gpus_per_instance, int) and cost.gpus_per_instance > 0:
        return amount.over(Decimal(cost.gpus_per_instance))
    return None


def price_per_million_tokens(gpu_hour_price: Range, gpus: int, tokens_per_s: Range) -> Range:
    """Return the price of a million tokens: GPU-hour price x GPUs / (tokens per second x 3600) x 1,000,000.

    `tokens_per_s` is the rate of all those GPUs together; the low end of the price goes with its high end.
    """
    factor = Decimal(gpus) * TOKENS / SECONDS_PER_HOUR
    low, high = gpu_hour_price.low * factor / tokens_per_s.high, gpu_hour_price.high * factor / tokens_per_s.low
    return Range(low, high, is_derived=True)


def money_text(amount: Range, currency: str) -> str:
    """Return an amount with its currency: `6.88 USD`, `1.10 to 1.90 USD`; a derived one is cut to four places, never to nothing."""
    ends = [plain(_cut(end) if amount.is_derived else end) for end in dict.fromkeys((amount.low, amount.high))]
    unit = "of unknown currency" if currency == "unknown" else currency
    return f"{' to '.join(ends)}\u00a0{unit}"


def _cut(value: Decimal) -> Decimal:
    """Return a derived amount with four places, half-even; one too small for them keeps three digits."""
    if -int(value.as_tuple().exponent) <= _PLACES:
        return value
    with localcontext(prec=max(28, value.adjusted() + 1 + _PLACES)):  # an amount longer than the usual 28 digits is no fault
        cut = round(value, _PLACES)
        return cut if cut or not value else round(value, 2 - value.adjusted())


def price_text(cost: Cost) -> str | None:
    """Return the stated price with currency and what it is for, as documents print it; None where the source names none."""
    amount = stated_price(cost)
    return f"{money_text(amount, cost.currency)} {PER_WORDS[cost.per]}" if amount else None


def gpu_hour_text(cost: Cost) -> str | None:
    """Return the price per GPU and hour as documents print it: `12.29 USD per GPU-hour`; None where it cannot be derived."""
    amount = price_per_gpu_hour(cost)
    return f"{money_text(amount, cost.currency)} {PER_WORDS['gpu-hour']}" if amount else None


def plain_price_text(cost: Cost) -> str:
    """Return the stated price for terminals and programs, in the record's own words: `98.32 USD per instance-hour`.

    Digits stand as the record has them, ungrouped, and every space is a plain one, so that it can be searched for.
    """
    if cost.amount == "unknown":
        return "no price stated"
    ends = [decimal_text(end) for end in (cost.amount, cost.low, cost.high) if end is not None]
    number = " to ".join(ends)
    return f"{number} {cost.currency if cost.currency != 'unknown' else '(currency unknown)'} per {cost.per}"
