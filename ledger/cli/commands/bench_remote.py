"""`ledger bench pack` and `take`: a plan out of the house in one file, its run back in one folder."""

import textwrap
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from ledger.cli.commands.bench import finish, fixed
from ledger.cli.input.options import open_ledger
from ledger.cli.input.prompts import at_terminal, prompt
from ledger.cli.text.output import note
from ledger.errors import DataRefused, EnvironmentFault, UsageError
from ledger.model.records.run import Executor
from ledger.store.files.atomic_write import write_atomically

if TYPE_CHECKING:
    from ledger.api import Ledger

RELATIONS: tuple[str, ...] = get_args(Executor.model_fields["relation"].annotation)


def pack(
    protocol: Annotated[str, typer.Argument(metavar="PROTOCOL")],
    *,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Where to write it; by default PROTOCOL.pyz, here.")] = None,
    unplanned: Annotated[bool, typer.Option("--unplanned", help="Pack although the plan has not landed; the run is marked so.")] = False,
) -> None:
    """Write a protocol into one file that runs on a machine with Python and vLLM, without this ledger."""
    ledger = open_ledger()
    planned = fixed(ledger, protocol, unplanned=unplanned)
    packed = ledger.pack(protocol, planned=planned)
    path = _target(out, protocol)
    try:
        write_atomically(path, packed.content)
    except OSError as error:
        raise EnvironmentFault(f"{path}: cannot be written: {error.strerror}. Name another file with --out.") from error
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
        raise DataRefused(f"{path}: is there already and is no pack. Name another file with --out.")
    return path


def take(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder that the run was written to.")],
    *,
    executor: Annotated[str | None, typer.Option("--executor", help="Who ran it: own, supplier or third-party.")] = None,
    organisation: Annotated[str | None, typer.Option("--organisation", metavar="NAME", help="The organisation that ran it.")] = None,
) -> None:
    """Check a run that was executed elsewhere from a pack against its plan, and record it; prints the run's id."""
    ledger = open_ledger()
    brought = ledger.brought(folder)
    run = ledger.take(brought, _executor(ledger, executor, organisation))
    if run.status == "partial":
        note(f"partial. To finish it: `python3 {run.protocol}.pyz resume --model DIR --out DIR` on its machine, then take it again.")
    finish(run.id, run.status, run.deviations)


def _executor(ledger: "Ledger", relation: str | None, organisation: str | None) -> Executor:
    """Return who ran it, asked where nobody has said and somebody can answer.

    Raises:
        UsageError: nobody has said, or said a word that is none of the three.
    """
    if relation is None and not at_terminal():
        raise UsageError(
            "it is not said who executed the run. Give --executor own, supplier or third-party; for the latter two --organisation."
        )
    relation = relation or _answer(f"who executed it ({', '.join(RELATIONS)}): ", RELATIONS)
    if relation not in RELATIONS:
        raise UsageError(f"--executor: got {relation}, expected {', '.join(RELATIONS[:-1])} or {RELATIONS[-1]}.")
    if relation == "own":
        organisation = organisation or ledger.settings.organisation
    elif not organisation and not at_terminal():
        raise UsageError(f"--executor {relation}: which organisation is not said. Give its name with --organisation.")
    return Executor.model_validate({"relation": relation, "organisation": organisation or _answer("which organisation: ")})


def _answer(question: str, choices: tuple[str, ...] = ()) -> str:
    """Return an answer that is not empty, and one of the choices where there are any."""
    while True:
        answer = prompt(question, lambda text: [choice for choice in choices if choice.startswith(text)])
        if answer and (not choices or answer in choices):
            return answer
