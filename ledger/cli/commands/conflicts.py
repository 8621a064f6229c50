"""`ledger conflicts`: claims that speak of the same metric, side by side."""

from typing import Annotated

import typer

from ledger.cli.input.options import AllOption, AsOfOption, FormatOption, KnownAtOption, OutOption, open_ledger, read_as_of, warn_of_unread
from ledger.cli.text.output import Format, emit, note


def conflicts(
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
    from ledger.cli.text.conflict_text import conflict_listing, lines  # keeps --help fast

    ledger, day = open_ledger(), read_as_of(as_of)
    found = ledger.conflicts(subject, as_of=None if everything else day, known_at=known_at)
    warn_of_unread(ledger)
    catalogue = ledger.catalogue_at(known_at)
    if form != Format.TABLE:
        emit(conflict_listing(catalogue, found, metric), form, out)
        return
    for line in lines(catalogue, found, metric):
        print(line)
    note(
        f"{len(found.groups)} metrics with more than one claim, {len(found.named)} named conflicts, {len(found.tested)} tests, as of {day}."
    )
