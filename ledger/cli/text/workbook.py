"""A list as a workbook: the rows with typed cells, and a sheet that says what was asked."""

import re
import shlex
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from ledger import __version__
from ledger.cli.input.options import open_ledger
from ledger.cli.text.output import Listing, Row
from ledger.errors import UsageError
from ledger.model.values.text import one_line
from ledger.store.export.tables import Export, Table, Value
from ledger.store.export.xlsx_file import xlsx_file
from ledger.store.files.atomic_write import write_atomically
from ledger.store.index.views import Column, Type

DECIMALS = ("amount", "low", "high")
"""Columns of lists that hold exact decimals as text."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def write_workbook(listing: Listing, out: Path | None) -> None:
    """Write the rows of a list to a workbook.

    Raises:
        UsageError: no file is named.
    """
    if out is None:
        raise UsageError("--format xlsx: a workbook is a file. Name one with --out FILE.")
    ledger = open_ledger()
    said = _DAY.search(listing.footer)
    about = {
        "organisation": ledger.settings.organisation,
        "query": shlex.join(["ledger", *_query(sys.argv[1:], out)]),
        "holds": listing.footer.strip() or "for any day",
        "commit": str(ledger.head() or "none: outside git"),
        "made by": f"evidence-ledger {__version__}",
    }
    names = list(dict.fromkeys(name for row in listing.rows for name in row if name != "record")) or list(listing.short)
    columns = tuple(Column(name, _type(name, listing.rows), "", "") for name in names)
    rows = tuple(tuple(_value(row.get(name)) for name in names) for row in listing.rows)
    as_of = date.fromisoformat(said.group()) if said else ledger.now().date()
    write_atomically(out, xlsx_file(Export((Table("rows", columns, rows),), about, as_of))[""])


def _query(arguments: list[str], out: Path) -> list[str]:
    """The command without where it wrote to."""
    kept = [one for one in arguments if one not in (f"--out={out}", str(out), "--out")]
    return [one_line(argument) for argument in kept]


def _type(name: str, rows: Sequence[Row]) -> Type:
    values = [row.get(name) for row in rows if row.get(name) not in (None, "")]
    if name in DECIMALS and all(re.fullmatch(r"-?\d+(\.\d+)?", str(value)) for value in values):
        return "decimal"
    if values and all(isinstance(value, str) and _DAY.fullmatch(value) for value in values):
        return "day"
    if values and all(isinstance(value, bool) for value in values):
        return "boolean"
    return "number" if values and all(isinstance(value, int | float) for value in values) else "text"


def _value(value: object) -> Value:
    if value is None or value == "":
        return None
    return value if isinstance(value, str | int | float) else "; ".join(_words(value))


def _words(value: object) -> list[str]:
    if isinstance(value, dict):
        return [f"{key}: {item}" for key, item in value.items()]
    return [str(item) for item in value] if isinstance(value, list | tuple) else [str(value)]
