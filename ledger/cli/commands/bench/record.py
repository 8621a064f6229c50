"""`ledger bench record RUN`."""

import typer

from ledger.cli.input.invocation import open_ledger
from ledger.cli.input.options import ExecutorOption, RunArgument
from ledger.cli.text.output import note


def record(ctx: typer.Context, run_id: RunArgument, *, executor: ExecutorOption = "own") -> None:
    """Record what an interrupted run had finished, without running more; nothing can rest on a partial run."""
    recorded = open_ledger(ctx).runs.record_interrupted(run_id, executor=executor)
    note(f"recorded {recorded.status}" + ("" if recorded.status == "complete" else f"; `ledger bench resume {run_id}` finishes it"))
    print(recorded.id)
