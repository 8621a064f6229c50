"""Prices made comparable, exactly: per GPU-hour and per million tokens, and how an amount of money prints.

Nothing is derived where the record says unknown; a derived amount never replaces the one that the source states.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

from ledger.model.records.cost import Cost
from ledger.model.values.units import plain

SECONDS_PER_HOUR = Decimal(3600)
TOKENS = Decimal(1_000_000)
_PLACES = Decimal("0.0001")

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

    def times(self, factor: Decimal) -> "Range":
        """Return both ends multiplied."""
        return Range(self.low * factor, self.high * factor)

    def over(self, divisor: Decimal) -> "Range":
        """Return both ends divided."""
        return Range(self.low / divisor, self.high / divisor)


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
    return Range(gpu_hour_price.low * factor / tokens_per_s.high, gpu_hour_price.high * factor / tokens_per_s.low)


def money_text(amount: Range, currency: str) -> str:
    """Return an amount with its currency: `6.88 USD`, `1.10 to 1.90 USD`; derived digits are cut to four places, half-even."""
    ends = [_digits(end) for end in dict.fromkeys((amount.low, amount.high))]
    unit = "of unknown currency" if currency == "unknown" else currency
    return f"{' to '.join(ends)}\u00a0{unit}"


def _digits(value: Decimal) -> str:
    exponent = value.as_tuple().exponent
    if isinstance(exponent, int) and exponent < -4:
        value = value.quantize(_PLACES, rounding=ROUND_HALF_EVEN)
    return plain(value)


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
    number = str(cost.amount) if cost.amount is not None else f"{cost.low} to {cost.high}"
    return f"{number} {cost.currency if cost.currency != 'unknown' else '(currency unknown)'} per {cost.per}"
