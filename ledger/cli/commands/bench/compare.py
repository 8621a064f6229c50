"""`ledger bench compare RUN...`."""

from pathlib import Path
from typing import Annotated

import typer

from ledger.cli.input.invocation import account_of, open_ledger
from ledger.cli.input.options import FormatOption, OutOption
from ledger.cli.text.output import Format, emit
from ledger.errors import UsageError


def compare(
    ctx: typer.Context,
    runs: Annotated[list[str], typer.Argument(metavar="RUN...")],
    *,
    form: FormatOption = Format.TABLE,
    out: OutOption = None,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write one page with everything inside.")] = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE|DIR", help="Write the ratio figures: one .svg, or one a load.")] = None,
    is_ascii: Annotated[bool, typer.Option("--ascii", help="Print with plain signs only.")] = False,
) -> None:
    """Print runs as tables and figures, each number with its interval or the reason it has none; several runs side by side."""
    from ledger.api.runs.comparing import compare as compare_runs  # drawing is not needed by --help
    from ledger.api.runs.comparing import write_figures, write_page
    from ledger.cli.text.compare_text import report_lines, results_listing, terminal_of

    ledger = open_ledger(ctx)
    if form is not Format.TABLE or out:
        if html or svg:
            raise UsageError("--html and --svg write files of their own. Leave out --format and --out.")
        emit(results_listing([ledger.runs.run(name) for name in runs]), form, out, account=account_of(ctx, ledger))
        return
    report = compare_runs(ledger.runs, runs)
    written = [*([write_page(report, html)] if html else []), *(write_figures(report, svg) if svg else [])]
    for line in written or report_lines(report, terminal_of(is_ascii=is_ascii)):
        print(line)
