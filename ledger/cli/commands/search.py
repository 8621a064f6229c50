"""`ledger search`: full text over every record."""

from typing import Annotated

import typer

from ledger.analysis.validity.validity import validity
from ledger.cli.input.options import FormatOption, KnownAtOption, OutOption, open_ledger, today, warn_of_unread
from ledger.cli.text.output import Format, Listing, emit
from ledger.errors import UsageError
from ledger.model.kinds import KINDS


def search(
    words: Annotated[list[str], typer.Argument(metavar="TEXT...", help='Words that must all occur; "quotes" make a phrase.')],
    *,
    kind: Annotated[str | None, typer.Option(help="Only records of this kind.")] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="No more than N rows.")] = 20,
    known_at: KnownAtOption = None,
    form: FormatOption = Format.TABLE,
    out: OutOption = None,
) -> None:
    """Search the text of every record; the best match comes first."""
    if kind is not None and kind not in KINDS:
        raise UsageError(f"--kind: {kind} is no kind of record. Use one of {', '.join(KINDS)}.")
    ledger = open_ledger()
    text = " ".join(f'"{word}"' if " " in word and '"' not in word else word for word in words) if len(words) > 1 else words[0]
    found = ledger.search(text, kind=kind, limit=limit, known_at=known_at)
    warn_of_unread(ledger)
    catalogue, rows = ledger.catalogue_at(known_at), []
    for one in found:
        status = validity(catalogue, catalogue.by_id[one.id].record).status(today())
        row = {"id": one.id, "kind": one.kind, "label": one.label, "state": status, "snippet": one.snippet.strip(), "title": one.title}
        rows.append({**row, "path": one.path})
    emit(Listing(rows, ("id", "kind", "label", "snippet"), wide=("id", "snippet"), facts=("kind", "label", "state")), form, out)
