"""`ledger runs`, `protocols`, `articles`: what was planned, executed and drafted."""

from typing import Annotated, Literal

import typer

from ledger.cli.input.options import (
    AsOfOption,
    FormatOption,
    KnownAtOption,
    LimitOption,
    OutOption,
    SortOption,
    open_ledger,
    read_as_of,
    warn_of_unread,
)
from ledger.cli.text.output import Format, emit, note
from ledger.model.records.claim import Side

RunStatus = Literal["complete", "partial", "failed", "invalid"]


def runs(
    *,
    protocol: Annotated[str | None, typer.Option(help="Id of the protocol.")] = None,
    status: Annotated[RunStatus | None, typer.Option(help="How it ended.")] = None,
    as_of: AsOfOption = None,
    known_at: KnownAtOption = None,
    sort: SortOption = None,
    limit: LimitOption = None,
    form: FormatOption = Format.TABLE,
    out: OutOption = None,
) -> None:
    """List runs, each with its protocol, whether it was planned, and how it ended."""
    from ledger.cli.text.plan_rows import run_listing  # keeps --help fast

    ledger, day = open_ledger(), read_as_of(as_of)
    found = ledger.answers("run", as_of=day, known_at=known_at, sort=sort, limit=limit, protocol=protocol, status=status)
    warn_of_unread(ledger)
    if interrupted := ledger.interrupted() if known_at is None else []:
        note(f"interrupted, without a record: {', '.join(interrupted)}. `ledger bench resume RUN` finishes one.")
    emit(run_listing(ledger, found), form, out)


def protocols(
    *,
    never_run: Annotated[bool, typer.Option("--never-run", help="Only those without a complete run.")] = False,
    as_of: AsOfOption = None,
    known_at: KnownAtOption = None,
    sort: SortOption = None,
    limit: LimitOption = None,
    form: FormatOption = Format.TABLE,
    out: OutOption = None,
) -> None:
    """List protocols, with how many runs each has."""
    from ledger.cli.text.plan_rows import protocol_listing  # as above

    ledger, day = open_ledger(), read_as_of(as_of)
    executed = ledger.answers("run", as_of=day, known_at=known_at)
    found = ledger.answers("protocol", as_of=day, known_at=known_at, sort=sort)
    warn_of_unread(ledger)
    emit(protocol_listing(ledger, found, executed, never_run=never_run, limit=limit), form, out)


def articles(
    *,
    side: Annotated[Side | None, typer.Option(help="Which side of the firewall.")] = None,
    known_at: KnownAtOption = None,
    sort: SortOption = None,
    limit: LimitOption = None,
    form: FormatOption = Format.TABLE,
    out: OutOption = None,
) -> None:
    """List drafts of articles, each with the day that it speaks of."""
    from ledger.cli.text.plan_rows import article_listing  # as above

    ledger = open_ledger()
    found = ledger.answers("article", known_at=known_at, sort=sort, limit=limit, side=side)
    warn_of_unread(ledger)
    emit(article_listing(ledger, found), form, out)
