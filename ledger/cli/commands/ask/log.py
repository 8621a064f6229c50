"""`ledger log ID`."""

from typing import Annotated, Literal

import typer

from ledger.cli.input.invocation import open_ledger, today
from ledger.cli.input.options import IdArgument
from ledger.cli.text.output import json_text, note


def log(
    ctx: typer.Context,
    record_id: IdArgument,
    *,
    form: Annotated[Literal["text", "json"], typer.Option("--format", help="How to print.")] = "text",
) -> None:
    """Show every record that ID supersedes or is superseded by, oldest first, with its dates, authors and commits."""
    from ledger.cli.text.log_text import log_fields, log_lines  # the kinds' models are not needed by --help

    ledger = open_ledger(ctx)
    line = ledger.queries.log(record_id)
    if line.gap:
        note(f"unrecorded: {line.gap}")
    if form == "json":
        print(json_text([log_fields(ledger.catalogue, logged, today()) for logged in line.records]))
        return
    for text in log_lines(ledger.catalogue, line, record_id, as_of=today()):
        print(text)
