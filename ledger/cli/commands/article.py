"""`ledger article lint` and `ledger article build`."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from ledger.api import FORMATS
from ledger.cli.input.completion import complete_article
from ledger.cli.input.options import open_ledger
from ledger.cli.text.output import note, report
from ledger.errors import ExitCode, UsageError, has_errors

app = typer.Typer(no_args_is_help=True, help="Lint and build articles and pricing documents.")

NamesArgument = Annotated[list[str], typer.Argument(metavar="ARTICLE...", autocompletion=complete_article, help="Ids of drafts.")]


@app.command()
def lint(names: NamesArgument) -> None:
    """Report what a build would refuse or ask about, at file:line:column."""
    ledger = open_ledger()
    problems = [problem for name in names for problem in ledger.lint(name)]
    report(problems)
    errors = sum(problem.severity == "error" for problem in problems)
    note(f"{len(names)} article(s) linted: {errors} errors, {len(problems) - errors} questions.")
    if has_errors(problems):
        raise typer.Exit(ExitCode.FINDINGS)


@app.command()
def build(
    names: NamesArgument,
    *,
    out: Annotated[Path, typer.Option(help="Folder for the files.")] = Path("build"),
    formats: Annotated[str, typer.Option("--formats", help="Any of md,html,pdf.")] = ",".join(FORMATS),
    run: Annotated[str | None, typer.Option(help="The run that @demo stands for.")] = None,
) -> None:
    """Build articles as Markdown, HTML and PDF; prints the paths."""
    wanted = [name.strip() for name in formats.split(",")]
    if unknown := [name for name in wanted if name not in FORMATS]:
        raise UsageError(f"--formats: {unknown[0]} is none of {', '.join(FORMATS)}.")
    ledger = open_ledger()
    if head := ledger.head():
        note(f"building from {head}")
    for built in ledger.build_all(names, out, formats=wanted, bindings={"@demo": run} if run else None):
        report(built.warnings, stream=sys.stderr)
        for path in built.paths:
            print(os.fspath(path))
