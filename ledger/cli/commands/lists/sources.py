"""`ledger sources`."""

from typing import Annotated

import typer

from ledger.cli.input.invocation import account_of, open_ledger, read_as_of, warn_of_unread
from ledger.cli.input.options import AsOfOption, FormatOption, KnownAtOption, LimitOption, OutOption, SortOption, TextOption
from ledger.cli.text.output import Format, emit
from ledger.model.records.source import Relation


def sources(
    ctx: typer.Context,
    *,
    publisher: TextOption = None,
    relation: Annotated[Relation | None, typer.Option(help="How the publisher stands to the subject.")] = None,
    as_of: AsOfOption = None,
    known_at: KnownAtOption = None,
    sort: SortOption = None,
    limit: LimitOption = None,
    form: FormatOption = Format.TABLE,
    out: OutOption = None,
) -> None:
    """List sources, with when they were published and last read."""
    from ledger.cli.text.record_rows import source_listing  # wording claims is not needed by --help

    ledger, day = open_ledger(ctx), read_as_of(as_of)
    filters = {"publisher": publisher, "relation": relation}
    answers = ledger.queries.answers("source", as_of=day, known_at=known_at, sort=sort, limit=limit, **filters)
    warn_of_unread(ledger)
    emit(source_listing(ledger, answers), form, out, account=account_of(ctx, ledger))
