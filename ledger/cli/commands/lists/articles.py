"""`ledger articles`."""

from typing import Annotated

import typer

from ledger.cli.input.invocation import account_of, open_ledger, warn_of_unread
from ledger.cli.input.options import FormatOption, KnownAtOption, LimitOption, OutOption, SortOption
from ledger.cli.text.output import Format, emit
from ledger.model.records.claim import Side


def articles(
    ctx: typer.Context,
    *,
    side: Annotated[Side | None, typer.Option(help="Which side of the firewall.")] = None,
    known_at: KnownAtOption = None,
    sort: SortOption = None,
    limit: LimitOption = None,
    form: FormatOption = Format.TABLE,
    out: OutOption = None,
) -> None:
    """List drafts of articles, each with the day that it speaks of."""
    from ledger.cli.text.plan_rows import article_listing  # the kinds' models are not needed by --help

    ledger = open_ledger(ctx)
    answers = ledger.queries.answers("article", known_at=known_at, sort=sort, limit=limit, side=side)
    warn_of_unread(ledger)
    emit(article_listing(ledger, answers), form, out, account=account_of(ctx, ledger))
