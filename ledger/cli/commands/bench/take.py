"""`ledger bench take DIR`: the run of a pack back in one folder."""

from pathlib import Path
from typing import Annotated, get_args

import typer

from ledger.api import Ledger
from ledger.cli.commands.bench.recorded import end_recorded
from ledger.cli.input.invocation import open_ledger
from ledger.cli.input.prompts import at_terminal, choose
from ledger.cli.text.output import note
from ledger.errors import UsageError
from ledger.model.records.run import Executor, ExecutorRelation

RELATIONS: tuple[str, ...] = get_args(ExecutorRelation)


def take(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder that the run was written to.")],
    *,
    executor: Annotated[str | None, typer.Option("--executor", help="Who ran it: own, supplier or third-party.")] = None,
    organisation: Annotated[str | None, typer.Option("--organisation", metavar="NAME", help="The organisation that ran it.")] = None,
) -> None:
    """Check a run that was executed elsewhere from a pack against its plan, and record it; prints the run's id."""
    ledger = open_ledger(ctx)
    remote_run = ledger.remote.read(folder)
    run = ledger.remote.import_run(remote_run, _executor(ledger, executor, organisation))
    if run.status == "partial":
        note(f"partial. To finish it: `python3 {run.protocol}.pyz resume --model DIR --out DIR` on its machine, then take it again.")
    end_recorded(run)


def _executor(ledger: Ledger, relation: str | None, organisation: str | None) -> Executor:
    """Return who ran it, asked where nobody has said and somebody can answer.

    Raises:
        UsageError: nobody has said, or said a word that is none of the three.
    """
    if relation is None and not at_terminal():
        raise UsageError(
            "it is not said who executed the run. Give --executor own, supplier or third-party; for the latter two --organisation."
        )
    relation = relation or choose(f"who executed it ({', '.join(RELATIONS)}): ", RELATIONS)
    if relation not in RELATIONS:
        raise UsageError(f"--executor: got {relation}, expected {', '.join(RELATIONS[:-1])} or {RELATIONS[-1]}.")
    if relation == "own":
        organisation = organisation or ledger.settings.organisation
    elif not organisation and not at_terminal():
        raise UsageError(f"--executor {relation}: which organisation is not said. Give its name with --organisation.")
    return Executor.model_validate({"relation": relation, "organisation": organisation or choose("which organisation: ")})
