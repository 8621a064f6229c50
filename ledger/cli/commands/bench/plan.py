"""`ledger bench plan PROTOCOL`."""

import typer

from ledger.cli.input.invocation import open_ledger
from ledger.cli.input.options import ProtocolArgument


def plan(ctx: typer.Context, protocol: ProtocolArgument) -> None:
    """Print what will run, how long it may take, and what its sample can and cannot show."""
    from ledger.cli.text.bench_text import outline_lines  # plans are not needed by --help

    ledger = open_ledger(ctx)
    plan, size, warnings = ledger.plans.protocol(protocol), ledger.plans.outline(protocol), ledger.plans.warnings(protocol)
    for line in outline_lines(plan, size, ledger.plans.not_landed(protocol), warnings=warnings):
        print(line)
