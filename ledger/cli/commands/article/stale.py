"""`ledger article stale [ARTICLE]...`: what has fallen."""

import sys
from typing import Annotated

import typer

from ledger.cli.input.invocation import account_of, open_ledger, read_as_of, warn_of_unread
from ledger.cli.input.options import AsOfOption, FormatOption, OutOption
from ledger.cli.text.output import Format, emit, note, report
from ledger.errors import ExitCode


def stale(
    ctx: typer.Context,
    names: Annotated[list[str] | None, typer.Argument(metavar="[ARTICLE]...", help="Ids of drafts; all by default.")] = None,
    *,
    as_of: AsOfOption = None,
    told: Annotated[bool, typer.Option("--all", help="Also what the document itself tells beside the citation.")] = False,
    form: FormatOption = Format.TABLE,
    out: OutOption = None,
) -> None:
    """Tell which sentences of drafts no longer stand, why, and what to do; exit 1 if there are any."""
    from ledger.cli.text.upkeep_rows import stale_listing  # citations are not needed by --help

    ledger, day = open_ledger(ctx), read_as_of(as_of)
    every = ledger.stale(names or None, as_of=day)
    shown = [citation for citation in every if told or not citation.is_told]
    warn_of_unread(ledger)
    if form == Format.TABLE:
        report((citation.problem() for citation in shown), stream=sys.stdout)
    else:
        emit(stale_listing(shown), form, out, account=account_of(ctx, ledger))
    hidden = f"; {len(every) - len(shown)} more are told beside the citation (--all)" if len(every) > len(shown) else ""
    note(f"{len(shown)} stale citation(s) as of {day}{hidden}.")
    if any(not citation.is_told for citation in every):
        raise typer.Exit(ExitCode.FINDINGS)
