"""`ledger export`: the records as a workbook, CSV, JSON, JSON-LD, Parquet or SQLite."""

import os
from pathlib import Path
from typing import Annotated, Literal, get_args

import typer

from ledger.api.option_types import ExportFormat
from ledger.cli.input.invocation import open_ledger, read_as_of, warn_of_unread
from ledger.cli.input.options import AllOption, AsOfOption, KnownAtOption
from ledger.errors import UsageError

ExportKind = Literal["claim", "source", "cost", "review", "protocol", "run"]


def export(
    ctx: typer.Context,
    *,
    form: Annotated[ExportFormat, typer.Option("--format", help="What to write.")],
    out: Annotated[Path, typer.Option(help="File, or folder for CSV and Parquet, which hold one table a file.")],
    kind: Annotated[
        list[str] | None, typer.Option(help="Only this kind: claim, source, cost, review, protocol or run; may be repeated.")
    ] = None,
    as_of: AsOfOption = None,
    known_at: KnownAtOption = None,
    everything: AllOption = False,
) -> None:
    """Write the records to files for other programs; prints their paths."""
    if unknown := [name for name in kind or () if name not in get_args(ExportKind)]:
        raise UsageError(f"--kind: {unknown[0]} cannot be exported. Use {', '.join(get_args(ExportKind))}.")
    ledger, day = open_ledger(ctx), read_as_of(as_of)
    warn_of_unread(ledger)
    for path in ledger.export(form, out, kinds=kind or (), as_of=None if everything else day, known_at=known_at):
        print(os.fspath(path))
