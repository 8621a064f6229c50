"""The `ledger` command."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from ledger import __version__
from ledger.cli.commands import add as adding
from ledger.cli.commands import article as articles
from ledger.cli.commands import bench, changes, doctor, init, log, plan_lists, queries, sql, staleness, verify
from ledger.cli.commands import bench_remote as away
from ledger.cli.commands import check as records
from ledger.cli.commands import conflicts as comparing
from ledger.cli.commands import coverage as covering
from ledger.cli.commands import export as exporting
from ledger.cli.commands import search as searching
from ledger.cli.commands import source as capturing
from ledger.cli.input import options
from ledger.cli.text.output import note, report
from ledger.errors import LedgerError
from ledger.model.values.text import one_line

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)
for command in (queries.claims, queries.sources, queries.costs, queries.show, records.check, records.schema, verify.verify):
    app.command()(command)
QUERIES: tuple[Callable[..., None], ...] = (
    *(plan_lists.runs, plan_lists.protocols, plan_lists.articles, searching.search, comparing.conflicts),
    *(staleness.impact, covering.coverage, sql.sql, exporting.export),
)
for query in QUERIES:
    app.command()(query)
articles.app.command()(staleness.stale)
for writer in (changes.supersede, changes.retract, changes.review):
    app.command()(writer)
for helper in (log.log, init.init, doctor.doctor):
    app.command()(helper)
for journey in (away.pack, away.take):
    bench.app.command()(journey)
app.add_typer(adding.app, name="add")
app.add_typer(articles.app, name="article")
app.add_typer(capturing.app, name="source")
app.add_typer(bench.app, name="bench")


def _print_version(asked: bool) -> None:
    if asked:
        print(f"ledger {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    ledger: Annotated[Path, typer.Option("--ledger", metavar="DIR", help="Work on the ledger at or above this folder.")] = Path(),
    version: Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")] = False,  # noqa: ARG001  # read by its callback
) -> None:
    """Dated, sourced claims and measured runs, and the reports built from them."""
    options.LEDGER_DIR[0] = ledger


def main() -> None:
    """Run the command; a `LedgerError` becomes its lines and its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a sign gets its number
    try:
        app(prog_name="ledger")
    except LedgerError as error:
        report(error.problems, stream=sys.stderr)
        note(one_line(f"{error}" if not error.problems else f"{error}: {len(error.problems)} finding(s)."))
        sys.exit(error.exit_code)
