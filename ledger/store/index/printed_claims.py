"""Tables below the views that SQL alone could not make: claims as they print, and the numbers of claims."""

import json
from decimal import Decimal

from sqlalchemy import Connection, text

from ledger.analysis.claims.readings import Reading, readings
from ledger.analysis.claims.resolve import statement_text
from ledger.model.catalogue import Catalogue
from ledger.model.records.claim import Claim
from ledger.store.index.views import QUANTITY_COLUMNS

_NAMES = tuple(name for name, _type, _holds in QUANTITY_COLUMNS)
_TABLES = ("CREATE TABLE printed (id TEXT PRIMARY KEY, statement TEXT)", f"CREATE TABLE quantity ({', '.join(_NAMES)})")


def fill(connection: Connection, catalogue: Catalogue) -> None:
    """Create both tables and write a row for each claim, and one for each of its numbers."""
    for statement in _TABLES:
        connection.execute(text(statement))
    claims = [entry.record for entry in catalogue.by_id.values() if isinstance(entry.record, Claim)]
    printed = [{"id": claim.id, "statement": _plain(statement_text(catalogue, claim)[0])} for claim in claims]
    numbers = [_row(reading) for claim in claims for reading in readings(catalogue, claim)]
    if printed:
        connection.execute(text("INSERT INTO printed VALUES (:id, :statement)"), printed)
    if numbers:
        names = ", ".join(f":{name}" for name in _NAMES)
        connection.execute(text(f"INSERT INTO quantity VALUES ({names})"), numbers)


def _row(reading: Reading) -> dict[str, str | int | None]:
    low, high = (None if end is None else format(end, "f") for end in _ends(reading))
    return {
        "claim": reading.claim.id,
        "name": reading.name,
        "metric": reading.metric,
        "text": _plain(reading.text),
        "low": low,
        "high": high,
        "bound": reading.bound,
        "unit": reading.unit,
        "dimension": reading.dimension,
        "statistic": reading.statistic,
        "samples": reading.samples,
        "interval": int(reading.is_interval),
        "conditions": json.dumps(reading.conditions, ensure_ascii=False) if reading.conditions else None,
        "reference": reading.reference,
        "withheld": reading.reason,
    }


def _ends(reading: Reading) -> tuple[Decimal | None, Decimal | None]:
    """Return both ends of a number in its own unit: as the claim states them, else as they were measured."""
    stated = reading.claim.quantity(reading.name)
    if stated is None:
        return reading.low, reading.high
    return (stated.low, stated.high) if stated.value is None else (stated.value, stated.value)


def _plain(printed: str) -> str:
    """Return printed text with ordinary spaces, as somebody types it into a query."""
    return printed.replace("\u00a0", " ")
