"""`ledger claims`."""

from typing import Annotated

import typer

from ledger.cli.input.invocation import account_of, open_ledger, read_as_of, warn_of_unread
from ledger.cli.input.options import AllOption, AsOfOption, FormatOption, KnownAtOption, LimitOption, OutOption, SortOption
from ledger.cli.text.output import Format, emit
from ledger.model.records.claim import Label, Side


def claims(
    ctx: typer.Context,
    *,
    label: Annotated[Label | None, typer.Option(help="The proof behind it.")] = None,
    side: Annotated[Side | None, typer.Option(help="Which side of the firewall.")] = None,
    subject: Annotated[str | None, typer.Option(help="A subject and what lies below it, such as vllm.")] = None,
    source: Annotated[str | None, typer.Option(help="Id of the source.")] = None,
    as_of: AsOfOption = None,
    known_at: KnownAtOption = None,
    everything: AllOption = False,
    sort: SortOption = None,
    limit: LimitOption = None,
    form: FormatOption = Format.TABLE,
    out: OutOption = None,
) -> None:
    """List claims, each with its label and who made it."""
    from ledger.cli.text.record_rows import claim_listing  # wording claims is not needed by --help

    ledger, day = open_ledger(ctx), read_as_of(as_of)
    filters = {"label": label, "side": side, "subject": subject, "source": source}
    held_on = None if everything else day
    answers = ledger.queries.answers("claim", as_of=held_on, known_at=known_at, sort=sort, limit=limit, **filters)
    warn_of_unread(ledger)
    emit(claim_listing(ledger, answers, day), form, out, account=account_of(ctx, ledger))
