"""`ledger bench claims RUN`."""

import typer

from ledger.cli.input.invocation import open_ledger, today
from ledger.cli.input.options import RunArgument


def claims(ctx: typer.Context, run_id: RunArgument) -> None:
    """Draft measured claims from a run, with references and no numbers; writes them under records/claims/."""
    for path in open_ledger(ctx).runs.draft_claims(run_id, today()):
        print(path)
