"""`ledger claims`, `sources`, `costs`, `show`: lists and single records."""

from typing import Annotated

import typer

from ledger.cli.input.completion import complete_any_id
from ledger.cli.input.options import (
    AllOption,
    AsOfOption,
    FormatOption,
    KnownAtOption,
    LimitOption,
    OutOption,
    SortOption,
    open_ledger,
    read_as_of,
    warn_of_unread,
)
from ledger.cli.text.output import Format, emit, json_text
from ledger.model.records.claim import Label, Side
from ledger.model.records.cost import PriceKind
from ledger.model.records.source import Relation

TextOption = Annotated[str | None, typer.Option()]


def claims(
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
    from ledger.cli.text.record_rows import claim_listing  # keeps --help fast

    ledger, day = open_ledger(), read_as_of(as_of)
    filters = {"label": label, "side": side, "subject": subject, "source": source}
    held = None if everything else day
    found = ledger.answers("claim", as_of=held, known_at=known_at, sort=sort, limit=limit, **filters)
    warn_of_unread(ledger)
    emit(claim_listing(ledger, found, day), form, out)


def sources(
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
    from ledger.cli.text.record_rows import source_listing  # as above

    ledger, day = open_ledger(), read_as_of(as_of)
    filters = {"publisher": publisher, "relation": relation}
    found = ledger.answers("source", as_of=day, known_at=known_at, sort=sort, limit=limit, **filters)
    warn_of_unread(ledger)
    emit(source_listing(ledger, found), form, out)


def costs(
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
    from ledger.cli.text.record_rows import cost_listing  # as above

    ledger, day = open_ledger(), read_as_of(as_of, announced=announced)
    filters = {"provider": provider, "region": region, "gpu": gpu, "price_kind": kind, "item": item}
    held = None if everything else day
    found = ledger.answers("cost", as_of=held, known_at=known_at, sort=sort, limit=limit, **filters)
    warn_of_unread(ledger)
    emit(cost_listing(ledger, found, day), form, out)


def show(
    record_id: Annotated[str, typer.Argument(metavar="ID", autocompletion=complete_any_id)],
    *,
    as_of: AsOfOption = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Show one record: every field, when it holds, where it is written and what names it."""
    from ledger.cli.text.record_text import shown_lines, shown_record  # as above

    ledger, day = open_ledger(), read_as_of(as_of)
    if as_json:
        print(json_text(shown_record(ledger, record_id, day)))
        return
    for line in shown_lines(ledger, record_id, day):
        print(line)
