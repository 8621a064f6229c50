"""`ledger coverage`: what nobody tested, ran, reviewed or read again."""

from typing import Annotated

import typer

from ledger.api.option_types import Gap
from ledger.cli.input.invocation import account_of, open_ledger, read_as_of, warn_of_unread
from ledger.cli.input.options import AsOfOption, FormatOption, OutOption
from ledger.cli.text.output import Format, emit
from ledger.errors import ExitCode


def coverage(
    ctx: typer.Context,
    *,
    gap: Annotated[Gap | None, typer.Option(help="List the records of one gap.")] = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TABLE,
    out: OutOption = None,
) -> None:
    """Count the gaps, or list one; exit 1 where there are more than ledger.toml allows under [coverage]."""
    from ledger.cli.text.upkeep_rows import gap_listing, uncovered_listing  # citations are not needed by --help

    ledger, day = open_ledger(ctx), read_as_of(as_of)
    every = ledger.coverage(as_of=day)
    chosen = [each for each in every if gap in (None, each.gap)]
    warn_of_unread(ledger)
    listing = gap_listing(chosen, day) if gap is None and form == Format.TABLE else uncovered_listing(chosen, day)
    emit(listing, form, out, account=account_of(ctx, ledger))
    if any(each.is_exceeded for each in chosen):
        raise typer.Exit(ExitCode.FINDINGS)
