"""`ledger source capture ID`."""

from datetime import date
from typing import Annotated

import typer

from ledger.cli.commands.source.captured import print_captured
from ledger.cli.input.invocation import open_ledger, today
from ledger.cli.input.options import ArchiveOption
from ledger.errors import UsageError


def capture(
    ctx: typer.Context,
    source_id: Annotated[str, typer.Argument(metavar="ID")],
    where: Annotated[str | None, typer.Argument(metavar="[FILE|URL]", help="What to read; the source's own address by default.")] = None,
    *,
    archive: ArchiveOption = False,
    taken_on: Annotated[str | None, typer.Option("--date", metavar="DATE", help="When a saved file was taken; now by default.")] = None,
) -> None:
    """Take a capture: its hash, time and type, added to the source's record; tells whether the content drifted."""
    ledger = open_ledger(ctx)
    print_captured(ledger.writing.capture(source_id, where, taken_on=_day(taken_on), archive=archive))


def _day(text: str | None) -> date | None:
    if text is None:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise UsageError(f'--date: got "{text}", expected a day as YYYY-MM-DD.') from None
    if day > today():
        raise UsageError(f"--date: {day} lies in the future. Give the day on which the file was taken.")
    return day
