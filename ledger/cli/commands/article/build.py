"""`ledger article build ARTICLE...`."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from ledger.api import FORMATS
from ledger.cli.input.invocation import open_ledger
from ledger.cli.input.options import ArticlesArgument
from ledger.cli.text.output import note, report
from ledger.errors import UsageError


def build(
    ctx: typer.Context,
    names: ArticlesArgument,
    *,
    out: Annotated[Path, typer.Option(help="Folder for the files.")] = Path("build"),
    formats: Annotated[str, typer.Option("--formats", help="Any of md,html,pdf.")] = ",".join(FORMATS),
    run: Annotated[str | None, typer.Option(help="The run that @demo stands for.")] = None,
) -> None:
    """Build articles as Markdown, HTML and PDF; prints the paths."""
    wanted = [name.strip() for name in formats.split(",")]
    if unknown := [name for name in wanted if name not in FORMATS]:
        raise UsageError(f"--formats: {unknown[0]} is none of {', '.join(FORMATS)}.")
    ledger = open_ledger(ctx)
    if head := ledger.files.head():
        note(f"building from {head}")
    for built in ledger.builds.build_all(names, out, formats=wanted, bindings={"@demo": run} if run else None):
        report(built.warnings, stream=sys.stderr)
        for path in built.paths:
            print(os.fspath(path))
