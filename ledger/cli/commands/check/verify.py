"""`ledger verify [RUN]...`: recompute what can be recomputed, and hold the history to its word."""

from typing import Annotated

import typer

from ledger.cli.input.invocation import open_ledger
from ledger.cli.text.output import note, report
from ledger.errors import ExitCode, UsageError, has_errors


def verify(
    ctx: typer.Context,
    targets: Annotated[list[str] | None, typer.Argument(metavar="[RUN]...", help="Runs to recompute from their traces.")] = None,
    *,
    history: Annotated[bool, typer.Option("--history", help="Nothing that landed was rewritten.")] = False,
) -> None:
    """Recompute a run's numbers from its raw traces, or check that nothing landed was rewritten."""
    if not targets and not history:
        raise UsageError("nothing to verify. Name a run, or give --history.")
    ledger = open_ledger(ctx)
    problems = ledger.checks.check_history() if history else []
    for target in targets or ():
        problems += ledger.runs.verify(target)
        for line in ledger.runs.unverifiable(target):
            note(f"{target}: {line}")
    report(problems)
    note(f"{len(targets or ())} run(s){' and the history' if history else ''} verified: {len(problems)} finding(s).")
    if has_errors(problems):
        raise typer.Exit(ExitCode.FINDINGS)
