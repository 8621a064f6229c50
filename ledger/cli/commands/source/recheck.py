"""`ledger source recheck [ID]...`."""

from typing import Annotated

import typer

from ledger.api import Ledger
from ledger.cli.commands.source.captured import print_captured
from ledger.cli.input.invocation import open_ledger, read_as_of, warn_of_unread
from ledger.cli.input.options import ArchiveOption, AsOfOption
from ledger.cli.text.output import note
from ledger.errors import ExitCode, LedgerError
from ledger.model.records.source import Source
from ledger.model.values.text import one_line


def recheck(
    ctx: typer.Context,
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Sources; those that are due by default.")] = None,
    *,
    list_only: Annotated[bool, typer.Option("--list", help="Only list them, without the network.")] = False,
    archive: ArchiveOption = False,
    as_of: AsOfOption = None,
) -> None:
    """Read the sources again that are due; exit 1 where one drifted or does not answer."""
    ledger, day = open_ledger(ctx), read_as_of(as_of)
    warn_of_unread(ledger)
    because = {due.record: due.because for due in ledger.queries.due_sources(as_of=day)}
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
        taken = ledger.writing.capture(name, archive=archive)
    except LedgerError as error:
        print(one_line(f"{name}: {error}"))
        return True
    print_captured(taken)
    return taken.has_drifted
