"""Values that records hold: slugs, exact decimals, days, partial dates, instants, hashes.

Decimals are quoted strings in a file, so that no reader can round them; a bare float is refused.
"""

import re
from calendar import monthrange
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import total_ordering
from math import isfinite
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, GetCoreSchemaHandler, JsonValue, PlainSerializer, StringConstraints, WithJsonSchema
from pydantic_core import core_schema

SLUG = r"^[a-z0-9]+(-[a-z0-9]+)*$"
Slug = Annotated[str, StringConstraints(pattern=SLUG, max_length=100)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+([-_.][a-z0-9]+)*$", max_length=60)]
Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


def _require_inner(path: str) -> str:
    parts = PurePosixPath(path).parts
    if not parts or PurePosixPath(path).is_absolute() or ".." in parts:
        raise ValueError(f'got "{path}", expected a path below the ledger')
    return path


InnerPath = Annotated[Text, AfterValidator(_require_inner)]
"""A relative path, with forward slashes, that never leads out of the folder it starts from."""


def _as_toml(value: JsonValue) -> JsonValue:
    """Return a value that TOML can hold; ValueError for a null or a number that is none, at any depth."""
    if value is None or (isinstance(value, float) and not isfinite(value)):
        raise ValueError(f"got {value}, expected text, a number, true or false, a list or a table")
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _as_toml(inner)
    return value


TomlValue = Annotated[JsonValue, AfterValidator(_as_toml)]
"""Text, a number, true or false, or lists and tables of them: what an engine's argument may be."""
Scalar = str | int | bool
Currency = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]
Unknown = Literal["unknown"]

_DECIMAL = re.compile(r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?$")
_PARTIAL = re.compile(r"^([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?$")
EARLIEST_YEAR, LATEST_YEAR = 1970, 2199


def read_decimal(value: object) -> Decimal:
    """Return the exact decimal in a quoted string such as `"2.80"`; ValueError for anything else."""
    if isinstance(value, Decimal):
        return value
    if isinstance(value, bool) or not isinstance(value, str):
        raise ValueError(f'got {value!r} without quotes, expected an exact decimal in quotes, such as "2.8"')
    if not _DECIMAL.fullmatch(value):
        raise ValueError(f'got "{value}", expected digits with a decimal point, such as "1234.5"')
    return Decimal(value)


def read_day(value: object) -> date:
    """Return a calendar day from a TOML date or an ISO `YYYY-MM-DD` string."""
    if isinstance(value, datetime):
        raise ValueError(f"got the time {value.isoformat()}, expected a day such as 2026-03-01")
    if isinstance(value, str) and not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        raise ValueError(f'got "{value}", expected a whole day as YYYY-MM-DD')
    day = _calendar_day(*map(int, value.split("-"))) if isinstance(value, str) else value
    if not isinstance(day, date):
        raise ValueError(f"got {value!r}, expected a day as YYYY-MM-DD")
    _check_year(day.year)
    return day


def read_instant(value: object) -> datetime:
    """Return an instant in UTC from a date-time that names its offset."""
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if not isinstance(value, datetime):
        raise ValueError(f"got {value!r}, expected a date and time with its offset, such as 2026-03-01T09:00:00Z")
    if value.tzinfo is None:
        raise ValueError(f"got {value.isoformat()} without a zone, expected an offset such as Z or +01:00")
    _check_year(value.year)
    return value.astimezone(UTC)


def _calendar_day(year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        raise ValueError(f"got {year:04d}-{month:02d}-{day:02d}, expected a day that is in the calendar") from None


def _check_year(year: int) -> None:
    if not EARLIEST_YEAR <= year <= LATEST_YEAR:
        raise ValueError(f"got the year {year:04d}, expected {EARLIEST_YEAR} to {LATEST_YEAR}")


def decimal_text(value: Decimal) -> str:
    """Return a decimal digit for digit as it was written, never in the exponent form that `str` gives small ones."""
    return format(value, "f")


Exact = Annotated[
    Decimal,
    BeforeValidator(read_decimal),
    PlainSerializer(decimal_text, return_type=str),
    WithJsonSchema({"type": "string", "pattern": _DECIMAL.pattern}),
]
Day = Annotated[date, BeforeValidator(read_day)]
Instant = Annotated[datetime, BeforeValidator(read_instant)]


@total_ordering
class PartialDate:
    """A date known to the day, the month or the year: `2026-09-14`, `2026-09` or `2026`.

    `first` and `last` bound the days it may be, both inclusive; it never becomes its first day.
    """

    __slots__ = ("first", "last", "text")
    first: date
    last: date
    text: str

    def __init__(self, value: object) -> None:
        if isinstance(value, datetime):
            raise ValueError(f"got the time {value.isoformat()}, expected a date")
        text = value.isoformat() if isinstance(value, date) else value
        match = _PARTIAL.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise ValueError(f'got {value!r}, expected a date as YYYY-MM-DD, or "YYYY-MM" or "YYYY" where only that is known')
        year, month, day = (int(part) if part else None for part in match.groups())
        assert year is not None  # the pattern requires it
        _check_year(year)
        if month and not 1 <= month <= 12:
            raise ValueError(f'got "{text}", expected a month from 01 to 12')
        self.first = _calendar_day(year, month or 1, day or 1)
        self.last = self.first if day else _calendar_day(year, month or 12, monthrange(year, month or 12)[1])
        self.text = match.group(0)

    @property
    def precision(self) -> Literal["time", "day", "month", "year"]:
        """How much of the date is known."""
        return ("year", "month", "day")[self.text.count("-")]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"PartialDate({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PartialDate) and self.text == other.text

    def __lt__(self, other: "PartialDate") -> bool:
        return (self.first, self.text) < (other.first, other.text)

    def __hash__(self) -> int:
        return hash(self.text)

    @classmethod
    def read(cls, value: object) -> "PartialDate":
        """Return the partial date in a TOML date or a string."""
        return value if isinstance(value, cls) else cls(value)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(
            cls.read, serialization=core_schema.plain_serializer_function_ser_schema(str, return_schema=core_schema.str_schema())
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, _schema: Any, _handler: Any) -> dict[str, Any]:
        # A whole day is a date of TOML's own: some editors hand it to the schema as such, never as text.
        return {"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "pattern": _PARTIAL.pattern}]}
