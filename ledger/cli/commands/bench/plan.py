"""`ledger bench plan PROTOCOL`."""

import typer

from ledger.cli.input.invocation import open_ledger
from ledger.cli.input.options import ModelOption, ProtocolArgument
from ledger.errors import DataRefusedError, has_errors


def plan(ctx: typer.Context, protocol: ProtocolArgument, *, model: ModelOption = None) -> None:
    """Print what will run, how long it may take, and what its sample can and cannot show; refuse what cannot run."""
    from ledger.cli.text.bench_text import outline_lines  # plans are not needed by --help
    from ledger.cli.text.output import note

    ledger = open_ledger(ctx)
    outline, size, warnings = ledger.plans.protocol(protocol), ledger.plans.outline(protocol), ledger.plans.warnings(protocol)
    for line in outline_lines(outline, size, ledger.plans.not_landed(protocol), warnings=warnings):
        print(line, flush=True)
    problems = ledger.plans.check(protocol, model)
    if has_errors(problems):
        raise DataRefusedError(f"{protocol} cannot run", problems)
    for problem in problems:
        note(str(problem))
