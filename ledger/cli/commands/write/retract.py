"""`ledger retract ID`."""

import typer

from ledger.cli.commands.write.written import print_written
from ledger.cli.input.invocation import open_ledger, today
from ledger.cli.input.options import IdArgument, NewIdOption, ReasonOption
from ledger.cli.input.prompts import ask_options


def retract(ctx: typer.Context, record_id: IdArgument, *, reason: ReasonOption = None, new_id: NewIdOption = None) -> None:
    """Take a record back without a replacement: writes a retraction. ID's own file stays as it is."""
    ledger = open_ledger(ctx)
    old = ledger.entry(record_id)
    answers = ask_options({"--reason": reason})
    print_written(ledger.writing.record_writer(today()).retract(old, reason=answers["--reason"], new_id=new_id))
