"""How `run`, `resume` and `take` end: what they say of the run that they recorded, and with which exit code."""

import typer

from ledger.cli.text.output import note
from ledger.errors import ExitCode
from ledger.model.records.run import Run


def end_recorded(run: Run) -> None:
    """Say how a run was recorded and print its id; exit 1 where something of it is missing."""
    for deviation in run.deviations:
        note(f"deviation: {deviation}")
    note(f"recorded {run.status}; see `ledger show {run.id}`, `ledger bench compare {run.id}`, `ledger verify {run.id}`")
    print(run.id)
    if run.status != "complete":
        raise typer.Exit(ExitCode.FINDINGS)
