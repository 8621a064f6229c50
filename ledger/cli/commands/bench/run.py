"""`ledger bench run PROTOCOL`."""

from typing import Annotated

import typer

from ledger.cli.commands.bench.landed_plan import require_landed_plan
from ledger.cli.commands.bench.recorded import end_recorded
from ledger.cli.input.invocation import open_ledger, today
from ledger.cli.input.options import ExecutorOption, ModelOption, ProtocolArgument


def run(
    ctx: typer.Context,
    protocol: ProtocolArgument,
    *,
    model: ModelOption = None,
    unplanned: Annotated[bool, typer.Option("--unplanned", help="Run although the plan has not landed; the run is marked so.")] = False,
    executor: ExecutorOption = "own",
) -> None:
    """Run a protocol and record it; prints the run's id. Ctrl-C stops it and records what finished; `resume` finishes it."""
    from ledger.cli.text.progress import show_progress  # the runner's progress is not needed by --help

    ledger = open_ledger(ctx)
    planned = require_landed_plan(ledger, protocol, unplanned=unplanned)
    with show_progress() as progress:
        request = ledger.runs.request(protocol, model=model, planned=planned, today=today(), progress=progress)
        recorded = ledger.runs.execute(request, executor)
    end_recorded(recorded)
