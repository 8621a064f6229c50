"""`ledger runs`."""

from typing import Annotated, Literal

import typer

from ledger.cli.input.invocation import account_of, open_ledger, read_as_of, warn_of_unread
from ledger.cli.input.options import AsOfOption, FormatOption, KnownAtOption, LimitOption, OutOption, SortOption
from ledger.cli.text.output import Format, emit, note

RunStatus = Literal["complete", "partial", "failed", "invalid"]


def runs(
    ctx: typer.Context,
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
    from ledger.cli.text.plan_rows import run_listing  # the kinds' models are not needed by --help

    ledger, day = open_ledger(ctx), read_as_of(as_of)
    answers = ledger.queries.answers("run", as_of=day, known_at=known_at, sort=sort, limit=limit, protocol=protocol, status=status)
    warn_of_unread(ledger)
    if interrupted := ledger.queries.interrupted() if known_at is None else []:
        note(f"interrupted, without a record: {', '.join(interrupted)}. `ledger bench resume RUN` finishes one.")
    emit(run_listing(ledger, answers), form, out, account=account_of(ctx, ledger))
