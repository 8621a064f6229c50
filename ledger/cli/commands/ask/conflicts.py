"""`ledger conflicts SUBJECT`: claims that speak of the same metric, side by side."""

from typing import Annotated

import typer

from ledger.cli.input.invocation import account_of, open_ledger, read_as_of, warn_of_unread
from ledger.cli.input.options import AllOption, AsOfOption, FormatOption, KnownAtOption, OutOption
from ledger.cli.text.output import Format, emit, note


def conflicts(
    ctx: typer.Context,
    subject: Annotated[str, typer.Argument(help="A subject and what lies below it, such as vllm/ngram.")],
    *,
    metric: Annotated[str | None, typer.Option(help="Only this metric.")] = None,
    as_of: AsOfOption = None,
    known_at: KnownAtOption = None,
    everything: AllOption = False,
    form: FormatOption = Format.TABLE,
    out: OutOption = None,
) -> None:
    """Set claims of one metric side by side, with why they may not be comparable."""
    from ledger.cli.text.conflict_text import conflict_lines, conflict_listing  # comparing claims is not needed by --help

    ledger, day = open_ledger(ctx), read_as_of(as_of)
    conflicting = ledger.conflicts(subject, as_of=None if everything else day, known_at=known_at)
    warn_of_unread(ledger)
    catalogue = ledger.files.catalogue_at(known_at)
    if form != Format.TABLE:
        emit(conflict_listing(catalogue, conflicting, metric), form, out, account=account_of(ctx, ledger))
        return
    for line in conflict_lines(catalogue, conflicting, metric):
        print(line)
    counts = f"{len(conflicting.named_pairs)} named conflicts, {len(conflicting.under_test)} tests"
    note(f"{len(conflicting.groups)} metrics with more than one claim, {counts}, as of {day}.")
