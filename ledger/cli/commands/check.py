"""`ledger check` and `ledger schema`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ledger.cli.input.options import open_ledger
from ledger.cli.text.output import json_text, note, report
from ledger.errors import ExitCode, UsageError, has_errors


class Findings(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


_KEYS = ("code", "severity", "path", "line", "column", "record", "message", "remedy")


def check(
    paths: Annotated[list[Path] | None, typer.Argument(metavar="[PATH]...", help="Only findings in these files or folders.")] = None,
    *,
    form: Annotated[Findings, typer.Option("--format", help="How to print findings.")] = Findings.TEXT,
) -> None:
    """Check every record and draft against every rule; all problems at once, exit 1 on findings."""
    ledger = open_ledger()
    problems = ledger.check(paths or [])
    match form:
        case Findings.JSON:
            print(json_text([{key: getattr(problem, key) for key in _KEYS} for problem in problems]))
        case Findings.SARIF:
            from ledger.cli.text.sarif import sarif  # only code hosts read it

            print(json_text(sarif(problems, ledger.root)))
        case Findings.TEXT:
            report(problems)
    errors = sum(problem.severity == "error" for problem in problems)
    note(f"{len(ledger.catalogue)} records checked: {errors} errors, {len(problems) - errors} warnings.")
    if has_errors(problems):
        raise typer.Exit(ExitCode.FINDINGS)


def schema(
    kind: Annotated[str | None, typer.Argument(help="A kind of record; all kinds by default.")] = None,
    *,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Write the schemas of all kinds there, for editors.")] = None,
) -> None:
    """Print the JSON Schema of a record file, or write those of all kinds into a folder."""
    from ledger.model.kinds import KINDS  # keeps --help fast
    from ledger.model.schema import file_schema  # as above
    from ledger.store.new_ledger.schemas import write_schemas  # as above

    if kind is not None and kind not in KINDS:
        raise UsageError(f"{kind}: no such kind. Use one of {', '.join(KINDS)}.")
    if out is None:
        print(json_text(file_schema([kind] if kind else list(KINDS))))
        return
    for path in write_schemas(out):
        print(path)
