"""The units that a claim's quantity and a run's measure may carry, their dimension, and how they print.

A unit outside this table is an error, so that `ms` and `millisec` never stand for the same thing.
"""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import AfterValidator

UNITS: dict[str, str] = {
    "x": "ratio",
    "%": "share",
    "points": "difference of shares",
    "s": "time",
    "ms": "time",
    "us": "time",
    "ns": "time",
    "min": "time",
    "h": "time",
    "tok/s": "token rate",
    "tok/s/GPU": "token rate per device",
    "tok/s/user": "token rate per user",
    "req/s": "request rate",
    "samples/s": "sample rate",
    "tokens": "token count",
    "requests": "count",
    "samples": "count",
    "tests": "count",
    "GPUs": "count",
    "count": "count",
    "score": "score",
    "bytes": "memory",
    "MiB": "memory",
    "GB": "memory",
    "GiB": "memory",
    "W": "power",
    "J": "energy",
    "J/token": "energy per token",
    "kWh": "energy",
    "USD": "money",
}
MeasureUnit = Literal["s", "tok/s", "req/s", "share", "bytes", "count", "ratio", "tokens", "MHz", "degC", "W", "J", "J/tok"]
"""Units of what a run measures; times are in seconds and shares are of 1."""
MEASURE_DIMENSIONS: dict[MeasureUnit, str] = {
    "s": "time",
    "tok/s": "token rate",
    "req/s": "request rate",
    "share": "share",
    "bytes": "memory",
    "count": "count",
    "ratio": "ratio",
    "tokens": "token count",
    "MHz": "frequency",
    "degC": "temperature",
    "W": "power",
    "J": "energy",
    "J/tok": "energy per token",
}
"""Dimension of each, in the words of `UNITS`: numbers of different dimensions are never compared."""
_CLOSED_UP = {"x", "%"}


def _require_known(unit: str) -> str:
    if unit not in UNITS:
        raise ValueError(f'got the unit "{unit}", expected one of {", ".join(UNITS)}')
    return unit


Unit = Annotated[str, AfterValidator(_require_known)]


def with_unit(number: str, unit: str) -> str:
    """Return a printed number with its unit: `2.8x`, `42%`, `12.0 ms`; plain counts and scores have none."""
    if unit in ("count", "score"):
        return number
    return number + unit if unit in _CLOSED_UP else f"{number}\u00a0{unit}"


def plain(value: Decimal) -> str:
    """Return a decimal as written, grouped in thousands from five digits on, never in exponent form."""
    text = format(value, "f")
    whole, dot, fraction = text.partition(".")
    if len(whole.lstrip("-")) > 4:
        whole = _in_thousands(whole)
    return whole + dot + fraction


def _in_thousands(whole: str) -> str:
    """Return digits in groups of three; by text, since a number of thousands of digits is no `int` to Python."""
    digits = whole.lstrip("-")
    first = len(digits) % 3 or 3
    groups = [digits[:first], *(digits[start : start + 3] for start in range(first, len(digits), 3))]
    return whole[: len(whole) - len(digits)] + "\u202f".join(groups)
