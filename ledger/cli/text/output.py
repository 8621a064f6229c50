"""Rows for people and for programs: table, JSON, CSV, workbook, Markdown. Results go to standard output, the rest to standard error."""

import csv
import io
import json
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ledger.api.command_line.output_files import write_output
from ledger.errors import Problem
from ledger.model.values.text import one_line, spreadsheet_text, visible

if TYPE_CHECKING:
    from rich.console import Console

Row = dict[str, Any]
_TABLE_WIDTH = 140
"""Columns below which statements and addresses leave a table no room."""


class Format(StrEnum):
    """How a list is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    XLSX = "xlsx"


@dataclass(frozen=True)
class Listing:
    """Rows with every column, and the few columns that a terminal of 80 characters shows."""

    rows: Sequence[Row]
    short: Sequence[str]
    as_of: date | None = None
    """The day that the rows hold for; None where they speak of no day."""
    wide: Sequence[str] = ()
    """Columns that may wrap; the others stay on one line."""
    facts: Sequence[str] = ()
    """Columns told on one line below the first where the terminal is too narrow for a table; the rest follows as text."""
    decimals: Sequence[str] = ()
    """Columns of exact decimals, which are text; numbers, booleans and ISO days tell their type themselves."""


@dataclass(frozen=True, slots=True)
class Account:
    """Who asked what, when, of which state of a ledger; a workbook states it."""

    organisation: str
    """Who keeps the ledger."""
    words: tuple[str, ...]
    """The command, without the program's name."""
    asked_on: date
    head: Callable[[], object]
    """Returns the commit that the ledger stands at, None outside git; called for workbooks only, as loading git takes time."""


def emit(listing: Listing, form: Format, out: Path | None, *, account: Account) -> None:
    """Print a listing in one format, or write it to a file; a workbook is always a file.

    Raises:
        UsageError: a workbook without a file.
        EnvironmentFaultError: the file cannot be written.
    """
    if form == Format.XLSX:
        from ledger.cli.text.workbook import write_workbook  # XlsxWriter is only needed by workbooks

        write_workbook(listing, out, account)
        return
    printer = {Format.TABLE: _table, Format.JSON: _json, Format.CSV: _csv, Format.MARKDOWN: _markdown}[form]
    if out is None:
        printer(listing)
        return
    with redirect_stdout(io.StringIO()) as stream:
        printer(listing)
    write_output(out, stream.getvalue().encode())


def report(problems: Iterable[Problem], *, stream: Any = None) -> None:
    """Print findings, one a line."""
    for problem in problems:
        print(one_line(str(problem)), file=stream or sys.stdout)


def note(text: str) -> None:
    """Say something that is not a result."""
    print(visible(text), file=sys.stderr)


def _table(listing: Listing) -> None:
    """A table where the terminal is wide enough, else one paragraph a row."""
    from rich.console import Console  # only tables need it
    from rich.text import Text

    console = Console(highlight=False)
    if listing.facts and console.width < _TABLE_WIDTH:
        for row in listing.rows:
            print("\n".join(_paragraph(listing, row, console.width)))
    else:
        _columns_table(listing, console)
    day = f" as of {listing.as_of}" if listing.as_of else ""
    console.print(Text(f"{len(listing.rows)} {'row' if len(listing.rows) == 1 else 'rows'}{day}"), style="dim")


def _columns_table(listing: Listing, console: "Console") -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in listing.short:
        wrap = name in listing.wide
        table.add_column(name.replace("_", " "), no_wrap=not wrap, overflow="fold", ratio=1 if wrap else None)
    for row in listing.rows:
        table.add_row(*(Text(one_line(_plain(row.get(name)))) for name in listing.short))
    console.print(table)


def _paragraph(listing: Listing, row: Row, width: int) -> Iterator[str]:
    first, *others = listing.short
    yield from textwrap.wrap(one_line(_plain(row.get(first))), width, break_long_words=False, break_on_hyphens=False)
    texts = [" · ".join(_fact(name, _plain(row.get(name))) for name in listing.facts if row.get(name))]
    texts += [_plain(row.get(name)) for name in others if name not in listing.facts]
    for text in texts:
        yield from textwrap.wrap(one_line(text), width - 1, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)


def _fact(name: str, text: str) -> str:
    """A day or a bare word says what it is of: `observed 2026-03-01`, `tax unknown`."""
    dated = name.endswith(("_on", "_seen")) and text[:1].isdigit()
    return f"{name.removesuffix('_on').replace('_', ' ')} {text}" if dated or text == "unknown" or name == "tax" else text


def _json(listing: Listing) -> None:
    print(json_text(list(listing.rows)))


def json_text(value: object) -> str:
    """Return strict JSON in which control codes and direction overrides are escaped, so that none acts on a terminal."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False, default=str)
    return "".join(char if char == "\n" or visible(char) == char else f"\\u{ord(char):04x}" for char in text)


def _csv(listing: Listing) -> None:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    columns = _columns(listing)
    writer.writerow(columns)
    writer.writerows([_csv_cell(row.get(name)) for name in columns] for row in listing.rows)
    print(stream.getvalue(), end="")


def _markdown(listing: Listing) -> None:
    lines = [list(listing.short), ["---"] * len(listing.short)]
    lines += [[_markdown_cell(row.get(name)) for name in listing.short] for row in listing.rows]
    for cells in lines:
        print(f"| {' | '.join(cells)} |")


def _columns(listing: Listing) -> list[str]:
    return list(dict.fromkeys(name for row in listing.rows for name in row)) or list(listing.short)


def _plain(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False, default=str) if value else ""
    return str(value)


def _csv_cell(value: object) -> str:
    """Text that a spreadsheet would run as a formula is quoted; negative numbers are left alone."""
    return spreadsheet_text(_plain(value))


def _markdown_cell(value: object) -> str:
    text = one_line(_plain(value))
    for char in "\\`*_[]<>|#&~":
        text = text.replace(char, f"\\{char}")
    return text
