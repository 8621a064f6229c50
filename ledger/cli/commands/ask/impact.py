"""`ledger impact ID`: what would fall with a record."""

from typing import Annotated

import typer

from ledger.cli.input.invocation import account_of, open_ledger, warn_of_unread
from ledger.cli.input.options import FormatOption, OutOption
from ledger.cli.text.output import Format, emit


def impact(
    ctx: typer.Context,
    record_id: Annotated[str, typer.Argument(metavar="ID")],
    *,
    form: FormatOption = Format.TABLE,
    out: OutOption = None,
) -> None:
    """Tell what would go stale if a record changed: records that rest on it, and sentences of drafts."""
    from ledger.cli.text.upkeep_rows import impact_listing  # citations are not needed by --help

    ledger = open_ledger(ctx)
    dependents = ledger.impact(record_id)
    warn_of_unread(ledger)
    emit(impact_listing(dependents, ledger.files.record_files.line_of), form, out, account=account_of(ctx, ledger))
