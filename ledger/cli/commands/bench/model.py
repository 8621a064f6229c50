"""`ledger bench model [NAME]`."""

from typing import Annotated

import typer

from ledger.cli.input.invocation import open_ledger


def model(ctx: typer.Context, name: Annotated[str, typer.Argument(metavar="NAME")] = "smollm2-135m-instruct") -> None:
    """Prepare the small demonstration model, kept outside the repository, and print its folder."""
    print(open_ledger(ctx).plans.model_folder(name, None))
