"""`ledger article lint ARTICLE...`."""

import typer

from ledger.cli.input.invocation import open_ledger
from ledger.cli.input.options import ArticlesArgument
from ledger.cli.text.output import note, report
from ledger.errors import ExitCode, has_errors


def lint(ctx: typer.Context, names: ArticlesArgument) -> None:
    """Report what a build would refuse or ask about, at file:line:column."""
    ledger = open_ledger(ctx)
    problems = [problem for name in names for problem in ledger.articles.lint(name)]
    report(problems)
    errors = sum(problem.severity == "error" for problem in problems)
    note(f"{len(names)} article(s) linted: {errors} errors, {len(problems) - errors} questions.")
    if has_errors(problems):
        raise typer.Exit(ExitCode.FINDINGS)
