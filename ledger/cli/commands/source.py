"""`ledger source capture` and `ledger source recheck`: the only commands on records that use the network."""

from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.api import Ledger
from ledger.cli.input.options import AsOfOption, open_ledger, read_as_of, today, warn_of_unread
from ledger.cli.text.output import note
from ledger.errors import ExitCode, LedgerError, UsageError
from ledger.model.records.source import Source
from ledger.model.values.text import one_line

if TYPE_CHECKING:
    from ledger.store.sources.captures import Captured

app = typer.Typer(no_args_is_help=True, help="Capture sources, and read those again that are due.")
ArchiveOption = Annotated[bool, typer.Option("--archive", help="Keep the bytes and their text under the evidence folder.")]


@app.command()
def capture(
    source_id: Annotated[str, typer.Argument(metavar="ID")],
    where: Annotated[str | None, typer.Argument(metavar="[FILE|URL]", help="What to read; the source's own address by default.")] = None,
    *,
    archive: ArchiveOption = False,
    taken_on: Annotated[str | None, typer.Option("--date", metavar="DATE", help="When a saved file was taken; now by default.")] = None,
) -> None:
    """Take a capture: its hash, time and type, added to the source's record; tells whether the content drifted."""
    ledger = open_ledger()
    _report(ledger.capture(source_id, where, taken_on=_day(taken_on), archive=archive))


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


@app.command()
def recheck(
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Sources; those that are due by default.")] = None,
    *,
    list_only: Annotated[bool, typer.Option("--list", help="Only list them, without the network.")] = False,
    archive: ArchiveOption = False,
    as_of: AsOfOption = None,
) -> None:
    """Read the sources again that are due; exit 1 where one drifted or does not answer."""
    ledger, day = open_ledger(), read_as_of(as_of)
    warn_of_unread(ledger)
    because = {one.record: one.because for one in ledger.due_sources(as_of=day)}
    names = ids or list(because)
    trouble = 0
    for name in names:
        if list_only:
            print(one_line(f"{name}: {because.get(name, 'not due')}"))
        else:
            trouble += _recheck(ledger, name, archive=archive)
    done = f"{trouble} drifted or failed." if trouble else "none drifted." if not list_only else "none read."
    note(f"{len(names)} source(s) {'due' if list_only else 'read again'} as of {day}, {done}")
    if trouble:
        raise typer.Exit(ExitCode.FINDINGS)


def _recheck(ledger: Ledger, name: str, *, archive: bool) -> bool:
    """Whether there was trouble; one that does not answer stops no other."""
    try:
        entry = ledger.entry(name)
        if isinstance(entry.record, Source) and entry.record.url is None:
            print(one_line(f"{name}: has no address; capture it from a file"))
            return True
        taken = ledger.capture(name, archive=archive)
    except LedgerError as error:
        print(one_line(f"{name}: {error}"))
        return True
    _report(taken)
    return taken.has_drifted


def _report(taken: "Captured") -> None:
    print(one_line(f"{taken.source}: captured {taken.capture.retrieved_at}, sha256 {taken.capture.sha256}, {taken.capture.media_type}"))
    if taken.before is None:
        print("  first capture with a hash; nothing to compare it with")
    elif taken.has_drifted:
        print(f"  DRIFTED: the content of {taken.before.retrieved_at} differs; both are kept")
        print("  " + one_line(f"rests on it: {', '.join(taken.resting) or 'nothing'}"))
    else:
        words = "the same bytes" if taken.before.sha256 == taken.capture.sha256 else "the same text, other markup"
        print(f"  unchanged: {words} as on {taken.before.retrieved_at}")
    for check in taken.quotes:
        print("  " + one_line(f'{check.claim} {check.name}: "{check.text}" {check.outcome}'))
