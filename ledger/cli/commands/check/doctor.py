"""`ledger doctor`: what is installed, what is missing, and what to do about it. Loads nothing heavy."""

import typer

from ledger.cli.input.invocation import invocation_of
from ledger.errors import ExitCode


def doctor(ctx: typer.Context) -> None:
    """Tell what is installed and what is missing; exit 3 only where reading a ledger would fail."""
    from ledger.api.command_line.installation import installed_parts  # ctypes and the fonts' names are not needed by --help

    parts = list(installed_parts(invocation_of(ctx).folder))
    for part in parts:
        print(part)
    if any(part.found is None and part.is_needed for part in parts):
        raise typer.Exit(ExitCode.ENVIRONMENT)
