"""`ledger schema [KIND]`."""

from pathlib import Path
from typing import Annotated

import typer

from ledger.cli.text.output import json_text
from ledger.errors import UsageError


def schema(
    kind: Annotated[str | None, typer.Argument(help="A kind of record; all kinds by default.")] = None,
    *,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Write the schemas of all kinds there, for editors.")] = None,
) -> None:
    """Print the JSON Schema of a record file, or write those of all kinds into a folder."""
    from ledger.api.command_line.new_ledger import write_schemas
    from ledger.model.kinds import KINDS  # making schemas is not needed by --help
    from ledger.model.schema import file_schema

    if kind is not None and kind not in KINDS:
        raise UsageError(f"{kind}: no such kind. Use one of {', '.join(KINDS)}.")
    if out is None:
        print(json_text(file_schema([kind] if kind else list(KINDS))))
        return
    for path in write_schemas(out):
        print(path)
