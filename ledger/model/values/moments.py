"""When something was said: a partial date, an instant, or a local time whose zone nobody wrote down.

A local time without a zone stays one; it is never taken as UTC. With a zone in brackets, as in
`2026-03-01T23:30:00[America/New_York]`, it is an instant, unless that zone's clocks showed it twice or never.
"""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ledger.model.values.values import EARLIEST_YEAR, LATEST_YEAR, PartialDate

_ZONED = re.compile(r"(?P<local>[^\[\]]+)\[(?P<zone>[A-Za-z0-9_+/-]+)\]")
_WEST, _EAST = timedelta(hours=12), timedelta(hours=14)
"""How far behind and ahead of UTC a clock on Earth can be."""


class Moment(PartialDate):
    """A partial date or a time; `instant` is None for a date and for a time without a zone.

    `first` and `last` bound the UTC days it may be. Two spellings of one instant are equal.
    """

    __slots__ = ("instant",)
    instant: datetime | None

    def __init__(self, value: object) -> None:
        self.instant = None
        if isinstance(value, PartialDate):
            value = value.text
        if isinstance(value, datetime) or (isinstance(value, str) and "T" in value):
            self._read_time(value)
        else:
            super().__init__(value)

    def _read_time(self, value: datetime | str) -> None:
        time = value if isinstance(value, datetime) else _parse_time(value)
        if not EARLIEST_YEAR <= time.year <= LATEST_YEAR:
            raise ValueError(f"got the year {time.year:04d}, expected {EARLIEST_YEAR} to {LATEST_YEAR}")
        if time.tzinfo is None:
            self.first, self.last = (time - _EAST).date(), (time + _WEST).date()
            self.text = time.isoformat()
            return
        self.instant = time.astimezone(UTC)
        self.first = self.last = self.instant.date()
        self.text = self.instant.isoformat().replace("+00:00", "Z")

    @property
    def precision(self) -> Literal["time", "day", "month", "year"]:
        """How much of it is known."""
        return "time" if "T" in self.text else super().precision

    @property
    def is_zone_unknown(self) -> bool:
        """Whether it is a local time that names no zone."""
        return self.instant is None and "T" in self.text

    @property
    def shown(self) -> str:
        """How it reads: a date as known, an instant in UTC, a local time marked so."""
        return f"{self.text} (zone unknown)" if self.is_zone_unknown else self.text

    @property
    def certain_from(self) -> date:
        """The first day on which it has certainly begun, or may have for a date known to the month or year."""
        return self.last if self.is_zone_unknown else self.first

    def __repr__(self) -> str:
        return f"Moment({self.text!r})"

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        dates = super().__get_pydantic_json_schema__(schema, handler)
        return {
            "anyOf": [*dates["anyOf"], {"type": "string", "format": "date-time"}, {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}T"}]
        }


def _parse_time(text: str) -> datetime:
    zoned = _ZONED.fullmatch(text)
    try:
        time = datetime.fromisoformat(zoned["local"] if zoned else text)
    except ValueError:
        raise ValueError(f'got "{text}", expected a time such as 2026-03-01T09:00:00Z') from None
    return _in_zone(time, zoned["zone"]) if zoned else time


def _in_zone(local: datetime, name: str) -> datetime:
    """Return a local time in its zone; refused where the zone's clocks showed it twice or never."""
    if local.tzinfo is not None:
        raise ValueError(f"got {local.isoformat()} with an offset and a zone, expected one of them")
    try:
        zone = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise ValueError(f'got the zone "{name}", expected a name such as Europe/Berlin') from None
    early, late = (local.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if early.utcoffset() == late.utcoffset():
        return early
    there_and_back = early.astimezone(UTC).astimezone(zone).replace(tzinfo=None)
    times = "twice" if there_and_back == local else "never"
    raise ValueError(f"got {local.isoformat()}, which the clocks of {name} showed {times}; give its offset instead")
