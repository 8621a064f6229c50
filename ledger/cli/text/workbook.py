"""A list as a workbook: the rows with typed cells, and a sheet that says what was asked."""

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ledger import __version__
from ledger.api.command_line.output_files import workbook_bytes, write_output
from ledger.cli.text.output import Account, Listing
from ledger.errors import UsageError
from ledger.model.values.text import one_line

if TYPE_CHECKING:
    from ledger.api.results import ColumnType

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_DECIMAL = re.compile(r"-?\d+(\.\d+)?")


def write_workbook(listing: Listing, out: Path | None, account: Account) -> None:
    """Write the rows of a list to a workbook.

    Raises:
        UsageError: no file is named.
        EnvironmentFaultError: the file cannot be written.
    """
    if out is None:
        raise UsageError("--format xlsx: a workbook is a file. Name one with --out FILE.")
    about = {
        "organisation": account.organisation,
        "query": shlex.join(["ledger", *query_words(account.words, out)]),
        "holds": f"as of {listing.as_of}" if listing.as_of else "for any day",
        "commit": str(account.head() or "none: outside git"),
        "made by": f"evidence-ledger {__version__}",
    }
    names = list(dict.fromkeys(name for row in listing.rows for name in row if name != "record")) or list(listing.short)
    columns = {name: column_type(listing, name) for name in names}
    rows = [[_value(row.get(name)) for name in names] for row in listing.rows]
    write_output(out, workbook_bytes(columns, rows, about=about, as_of=listing.as_of or account.asked_on))


def query_words(words: Sequence[str], out: Path) -> list[str]:
    """Return the words of a command without those that say where it writes to, so that the file's name does not change its bytes."""
    return [one_line(word) for word in words if word not in (f"--out={out}", str(out), "--out")]


def column_type(listing: Listing, name: str) -> "ColumnType":
    """Return how a column's cells are written: as the type that all of its values have, else as text."""
    values = [row.get(name) for row in listing.rows if row.get(name) not in (None, "")]
    if name in listing.decimals and all(_DECIMAL.fullmatch(str(value)) for value in values):
        return "decimal"
    if values and all(isinstance(value, str) and _DAY.fullmatch(value) for value in values):
        return "day"
    if values and all(isinstance(value, bool) for value in values):
        return "boolean"
    return "number" if values and all(isinstance(value, int | float) for value in values) else "text"


def _value(value: object) -> str | int | float | None:
    if value is None or value == "":
        return None
    return value if isinstance(value, str | int | float) else "; ".join(_words(value))


def _words(value: object) -> list[str]:
    if isinstance(value, dict):
        return [f"{key}: {item}" for key, item in value.items()]
    return [str(item) for item in value] if isinstance(value, list | tuple) else [str(value)]
