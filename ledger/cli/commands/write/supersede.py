"""`ledger supersede ID`."""

from typing import Annotated, Literal, get_args

import typer

from ledger.api.command_line.typed_fields import refuse_machine_written
from ledger.cli.commands.write.written import print_written
from ledger.cli.input.changes import field_change
from ledger.cli.input.invocation import open_ledger, today
from ledger.cli.input.options import IdArgument, NewIdOption, ReasonOption
from ledger.cli.input.prompts import ask_options

Because = Literal["correction", "change"]


def supersede(
    ctx: typer.Context,
    record_id: IdArgument,
    *,
    new_id: NewIdOption = None,
    because: Annotated[Because | None, typer.Option(help="correction: we were wrong. change: the world moved.")] = None,
    reason: ReasonOption = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=VALUE", help="What differs; quantities.NAME.value=… reaches inside, FIELD= removes."),
    ] = None,
) -> None:
    """Write a record that supersedes ID: a copy of it with changes. ID's own file stays as it is."""
    ledger = open_ledger(ctx)
    old = ledger.entry(record_id)
    refuse_machine_written(old.record.KIND)
    answers = ask_options({"--id": new_id, "--because": because, "--reason": reason}, {"--because": get_args(Because)})
    print_written(
        ledger.writing.record_writer(today()).supersede(
            old,
            new_id=answers["--id"],
            because="correction" if answers["--because"] == "correction" else "change",
            reason=answers["--reason"],
            changes=dict(field_change(old.record.KIND, text) for text in changes or ()),
        )
    )
