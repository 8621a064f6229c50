"""`ledger check`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ledger.cli.input.invocation import open_ledger
from ledger.cli.text.output import json_text, note, report
from ledger.errors import ExitCode, has_errors


class CheckFormat(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


_KEYS = ("code", "severity", "path", "line", "column", "record", "message", "remedy")


def check(
    ctx: typer.Context,
    paths: Annotated[list[Path] | None, typer.Argument(metavar="[PATH]...", help="Only findings in these files or folders.")] = None,
    *,
    form: Annotated[CheckFormat, typer.Option("--format", help="How to print findings.")] = CheckFormat.TEXT,
) -> None:
    """Check every record and draft against every rule; all problems at once, exit 1 on findings."""
    ledger = open_ledger(ctx)
    problems = ledger.check(paths or [])
    match form:
        case CheckFormat.JSON:
            print(json_text([{key: getattr(problem, key) for key in _KEYS} for problem in problems]))
        case CheckFormat.SARIF:
            from ledger.cli.text.sarif import sarif  # only code hosts read it

            print(json_text(sarif(problems, ledger.root)))
        case CheckFormat.TEXT:
            report(problems)
    errors = sum(problem.severity == "error" for problem in problems)
    note(f"{len(ledger.catalogue)} records checked: {errors} errors, {len(problems) - errors} warnings.")
    if has_errors(problems):
        raise typer.Exit(ExitCode.FINDINGS)
