"""`ledger search TEXT`."""

from typing import Annotated

import typer

from ledger.cli.input.invocation import account_of, open_ledger, today, warn_of_unread
from ledger.cli.input.options import FormatOption, KnownAtOption, OutOption
from ledger.cli.text.output import Format, emit
from ledger.errors import UsageError
from ledger.model.kinds import KINDS


def search(
    ctx: typer.Context,
    words: Annotated[list[str], typer.Argument(metavar="TEXT...", help='Words that must all occur; "quotes" make a phrase.')],
    *,
    kind: Annotated[str | None, typer.Option(help="Only records of this kind.")] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="No more than N rows.")] = 20,
    known_at: KnownAtOption = None,
    form: FormatOption = Format.TABLE,
    out: OutOption = None,
) -> None:
    """Search the text of every record; the best match comes first."""
    from ledger.cli.text.record_rows import match_listing  # wording claims is not needed by --help

    if kind is not None and kind not in KINDS:
        raise UsageError(f"--kind: {kind} is no kind of record. Use one of {', '.join(KINDS)}.")
    ledger = open_ledger(ctx)
    matches = ledger.search(search_text(words), kind=kind, limit=limit, known_at=known_at)
    warn_of_unread(ledger)
    listing = match_listing(ledger.files.catalogue_at(known_at), matches, today())
    emit(listing, form, out, account=account_of(ctx, ledger))


def search_text(words: list[str]) -> str:
    """Return what to search for: of several arguments, one that holds a space is a phrase, as a shell took its quotes away."""
    return " ".join(f'"{word}"' if " " in word and '"' not in word else word for word in words) if len(words) > 1 else words[0]
