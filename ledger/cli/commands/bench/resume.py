"""`ledger bench resume RUN`."""

import typer

from ledger.cli.commands.bench.recorded import end_recorded
from ledger.cli.input.invocation import open_ledger, today
from ledger.cli.input.options import ExecutorOption, ModelOption, RunArgument


def resume(ctx: typer.Context, run_id: RunArgument, *, model: ModelOption = None, executor: ExecutorOption = "own") -> None:
    """Finish an interrupted run: cells that ran to their end stand, the others run again.

    A partial record that has landed stays; the finished run is then a new one, which supersedes it.
    """
    from ledger.cli.text.progress import show_progress  # the runner's progress is not needed by --help

    ledger = open_ledger(ctx)
    with show_progress() as progress:
        recorded = ledger.runs.resume(run_id, model=model, executor=executor, today=today(), progress=progress)
    end_recorded(recorded)
