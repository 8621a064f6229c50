"""`ledger init [DIR]`: a new ledger."""

import os
from pathlib import Path
from typing import Annotated

import typer

from ledger.api.command_line.new_ledger import create_ledger
from ledger.cli.text.output import note


def init(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Folder of the ledger; made where it is not there.")] = Path(),
    *,
    organisation: Annotated[str | None, typer.Option(help="Who keeps it; the folder's name by default.")] = None,
) -> None:
    """Make a new ledger: settings, folders with examples, editor and hook snippets."""
    founded = create_ledger(folder, organisation)
    print(f"A ledger in {founded.root}, kept by {organisation or founded.root.name}.")
    for path in founded.kept:
        note(f"{path} was there and stays; see `ledger init` in an empty folder for what it would hold.")
    print("\nNext:")
    for command in _next(founded.root):
        print(f"  {command}")


def _next(root: Path) -> tuple[str, str, str]:
    here = Path.cwd() == root
    in_git = any((above / ".git").exists() for above in (root, *root.parents))
    first = " && ".join(([] if here else [f"cd {_shown(root)}"]) + ([] if in_git else ["git init -b main"]) + ["git add ."])
    return f'{first} && git commit -m "ledger: begin"', "ledger add source", "ledger check"


def _shown(root: Path) -> str:
    relative = os.path.relpath(root)
    return relative if len(relative) < len(str(root)) else str(root)
