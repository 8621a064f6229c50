"""`ledger costs`."""

from typing import Annotated

import typer

from ledger.cli.input.invocation import account_of, open_ledger, read_as_of, warn_of_unread
from ledger.cli.input.options import (
    AllOption,
    AsOfOption,
    FormatOption,
    KnownAtOption,
    LimitOption,
    OutOption,
    SortOption,
    TextOption,
)
from ledger.cli.text.output import Format, emit
from ledger.model.records.cost import PriceKind


def costs(
    ctx: typer.Context,
    *,
    provider: TextOption = None,
    region: TextOption = None,
    gpu: TextOption = None,
    kind: Annotated[PriceKind | None, typer.Option(help="How it is bought.")] = None,
    item: Annotated[str | None, typer.Option(help="An item and what lies below it, such as aws/p5.48xlarge.")] = None,
    as_of: AsOfOption = None,
    announced: Annotated[bool, typer.Option("--announced", help="Let announcements and contracts answer for a day to come.")] = False,
    known_at: KnownAtOption = None,
    everything: AllOption = False,
    sort: SortOption = None,
    limit: LimitOption = None,
    form: FormatOption = Format.TABLE,
    out: OutOption = None,
) -> None:
    """List dated prices; the latest known of each item on the day asked for."""
    from ledger.cli.text.record_rows import cost_listing  # wording claims is not needed by --help

    ledger, day = open_ledger(ctx), read_as_of(as_of, announced=announced)
    filters = {"provider": provider, "region": region, "gpu": gpu, "price_kind": kind, "item": item}
    held_on = None if everything else day
    answers = ledger.queries.answers("cost", as_of=held_on, known_at=known_at, sort=sort, limit=limit, **filters)
    warn_of_unread(ledger)
    emit(cost_listing(ledger, answers, day), form, out, account=account_of(ctx, ledger))
