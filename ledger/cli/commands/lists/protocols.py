"""`ledger protocols`."""

from typing import Annotated

import typer

from ledger.cli.input.invocation import account_of, open_ledger, read_as_of, warn_of_unread
from ledger.cli.input.options import AsOfOption, FormatOption, KnownAtOption, LimitOption, OutOption, SortOption
from ledger.cli.text.output import Format, emit


def protocols(
    ctx: typer.Context,
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
    from ledger.cli.text.plan_rows import protocol_listing  # the kinds' models are not needed by --help

    ledger, day = open_ledger(ctx), read_as_of(as_of)
    executed = ledger.queries.answers("run", as_of=day, known_at=known_at)
    answers = ledger.queries.answers("protocol", as_of=day, known_at=known_at, sort=sort)
    warn_of_unread(ledger)
    listing = protocol_listing(ledger, answers, executed, never_run=never_run, limit=limit)
    emit(listing, form, out, account=account_of(ctx, ledger))
