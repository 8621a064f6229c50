"""`ledger show ID`."""

from typing import Annotated

import typer

from ledger.cli.input.completion import complete_any_id
from ledger.cli.input.invocation import open_ledger, read_as_of
from ledger.cli.input.options import AsOfOption
from ledger.cli.text.output import json_text


def show(
    ctx: typer.Context,
    record_id: Annotated[str, typer.Argument(metavar="ID", autocompletion=complete_any_id)],
    *,
    as_of: AsOfOption = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Show one record: every field, when it holds, where it is written and what names it."""
    from ledger.cli.text.record_text import shown_lines, shown_record  # weighing claims is not needed by --help

    ledger, day = open_ledger(ctx), read_as_of(as_of)
    if as_json:
        print(json_text(shown_record(ledger, record_id, day)))
        return
    for line in shown_lines(ledger, record_id, day):
        print(line)
