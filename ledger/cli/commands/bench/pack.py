"""`ledger bench pack PROTOCOL`: a plan out of the house in one file."""

import textwrap
import zipfile
from pathlib import Path
from typing import Annotated

import typer

from ledger.api.command_line.output_files import write_output
from ledger.cli.commands.bench.landed_plan import require_landed_plan
from ledger.cli.input.invocation import open_ledger
from ledger.cli.input.options import ProtocolArgument
from ledger.cli.text.output import note
from ledger.errors import DataRefusedError


def pack(
    ctx: typer.Context,
    protocol: ProtocolArgument,
    *,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Where to write it; by default PROTOCOL.pyz, here.")] = None,
    unplanned: Annotated[bool, typer.Option("--unplanned", help="Pack although the plan has not landed; the run is marked so.")] = False,
) -> None:
    """Write a protocol into one file that runs on a machine with Python and vLLM, without this ledger."""
    ledger = open_ledger(ctx)
    planned = require_landed_plan(ledger, protocol, unplanned=unplanned)
    packed = ledger.remote.pack(protocol, planned=planned)
    path = _target(out, protocol)
    write_output(path, packed.content)
    suites = f", {packed.items} suite items" if packed.items else ""
    note(
        f"{packed.prompts} prompts{suites}, the plan{'' if planned else ', unplanned'} and its runner: {len(packed.content) / 1000:.0f} kB."
    )
    note(textwrap.fill(f"The prompts travel in full; who may use them: {packed.permission}", 80))
    note("Copy the file to the machine, and type there, with the Python that has vLLM:")
    note(f"  python3 {path.name} run --model DIR --out {protocol}-run")
    note(f"  python3 {path.name} resume --model DIR --out {protocol}-run   # if interrupted")
    note(f"Carry the folder {protocol}-run home, and type here:")
    note(f"  ledger bench take {protocol}-run")
    print(path)


def _target(out: Path | None, protocol: str) -> Path:
    """Return the file to write: an older pack is replaced, anything else is not."""
    path = out / f"{protocol}.pyz" if out and out.is_dir() else out or Path(f"{protocol}.pyz")
    if path.exists() and not zipfile.is_zipfile(path):
        raise DataRefusedError(f"{path}: is there already and is no pack. Name another file with --out.")
    return path
