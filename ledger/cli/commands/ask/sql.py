"""`ledger sql [SELECT]`: one SELECT over the stable views."""

from typing import Annotated

import typer

from ledger.cli.input.invocation import account_of, open_ledger, warn_of_unread
from ledger.cli.input.options import FormatOption, KnownAtOption, OutOption
from ledger.cli.text.output import Format, Listing, emit
from ledger.errors import UsageError


def sql(
    ctx: typer.Context,
    statement: Annotated[str | None, typer.Argument(metavar="[SELECT]", help="One statement; without it the views are listed.")] = None,
    *,
    known_at: KnownAtOption = None,
    form: FormatOption = Format.TABLE,
    out: OutOption = None,
) -> None:
    """Read the stable views with one SQL statement; nothing can be written."""
    ledger = open_ledger(ctx)
    account, view_columns = account_of(ctx, ledger), ledger.queries.view_columns()
    if statement is None:
        emit(Listing(view_columns, ("view", "column", "type", "holds"), wide=("holds",)), form, out, account=account)
        return
    names, rows = ledger.select(statement, known_at=known_at)
    if len(set(names)) < len(names):
        raise UsageError(f"sql: two columns are named {next(name for name in names if names.count(name) > 1)}. Give one an alias with AS.")
    warn_of_unread(ledger)
    decimals = [column["column"] for column in view_columns if column["type"] == "decimal"]
    listing = Listing([dict(zip(names, row, strict=True)) for row in rows], names, wide=names, decimals=decimals)
    emit(listing, form, out, account=account)
