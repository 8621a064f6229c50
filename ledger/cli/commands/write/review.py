"""`ledger review ID...`."""

from typing import Annotated, Literal, get_args

import typer

from ledger.cli.commands.write.written import print_written
from ledger.cli.input.completion import complete_any_id
from ledger.cli.input.invocation import open_ledger, today
from ledger.cli.input.prompts import ask_options
from ledger.model.records.review import Aspect

Verdict = Literal["accepted", "rejected"]
IdsArgument = Annotated[list[str], typer.Argument(metavar="ID...", autocompletion=complete_any_id, show_default=False)]
_ASPECT_HELP = f"What was checked, repeatable: {', '.join(get_args(Aspect))}."
_CHOICES = {"--verdict": get_args(Verdict), "--aspect": get_args(Aspect)}


def review(
    ctx: typer.Context,
    record_ids: IdsArgument,
    *,
    verdict: Annotated[Verdict | None, typer.Option(help="accepted or rejected.")] = None,
    aspects: Annotated[
        list[str] | None, typer.Option("--aspect", metavar="WORD", help=_ASPECT_HELP, autocompletion=lambda: get_args(Aspect))
    ] = None,
    reviewer: Annotated[str | None, typer.Option(metavar="NAME", help="Who reviewed; git's user.name by default.")] = None,
    note: Annotated[str | None, typer.Option(help="Free text for the next reader.")] = None,
) -> None:
    """Record that somebody other than the author checked records as they stand; several at once are marked as bulk."""
    ledger = open_ledger(ctx)
    targets = [ledger.entry(record_id) for record_id in dict.fromkeys(record_ids)]
    answers = ask_options({"--verdict": verdict, "--aspect": ",".join(aspects or ())}, _CHOICES)
    chosen = [aspect.strip() for aspect in answers["--aspect"].split(",")]
    print_written(
        ledger.writing.record_writer(today()).review(targets, verdict=answers["--verdict"], aspects=chosen, reviewer=reviewer, note=note)
    )
