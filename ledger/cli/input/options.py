"""Options that several commands share."""

from datetime import date, datetime
from pathlib import Path
from typing import Annotated

import typer

from ledger.api import Ledger
from ledger.cli.text.output import Format, note
from ledger.errors import UsageError
from ledger.model.values.values import read_day

LEDGER_DIR: list[Path] = [Path()]
"""Where `--ledger` points; set once by the main callback."""


def open_ledger() -> Ledger:
    """Return the ledger the command works on; files that cannot be read are told on standard error."""
    return Ledger.open(LEDGER_DIR[0])


def today() -> date:
    """The day of the local clock; the one place where queries read it."""
    return datetime.now().astimezone().date()


def warn_of_unread(ledger: Ledger) -> None:
    """Say which files answer no query because they have faults."""
    paths = sorted({problem.path for problem in ledger.files.all.problems if problem.severity == "error"})
    if paths:
        shown = ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
        note(f"warning: records in {shown} have faults and are left out. Run `ledger check`.")


def read_as_of(text: str | None, *, announced: bool = False) -> date:
    """Return the day asked for, today by default.

    Raises:
        UsageError: the text is no whole day, or lies in the future where nothing announced may answer.
    """
    if text is None:
        return today()
    try:
        day = read_day(text)
    except ValueError as error:
        raise UsageError(f"--as-of: {error}.") from None
    if day > today() and not announced:
        raise UsageError(f"--as-of: {day} lies in the future; the ledger knows what held up to {today()}. Give an earlier day.")
    return day


FormatOption = Annotated[Format, typer.Option("--format", help="How to print.")]
OutOption = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write to a file; a workbook needs one.")]
AsOfOption = Annotated[str | None, typer.Option("--as-of", metavar="DATE", help="What held on that day; today by default.")]
KnownAtOption = Annotated[str | None, typer.Option("--known-at", metavar="DATE|COMMIT", help="What the ledger knew then.")]
SortOption = Annotated[str | None, typer.Option("--sort", metavar="FIELD", help="Order by a field; -FIELD the other way round.")]
LimitOption = Annotated[int | None, typer.Option("--limit", metavar="N", help="No more than N rows.")]
AllOption = Annotated[bool, typer.Option("--all", help="Also what is superseded, retracted, ended or undated.")]
