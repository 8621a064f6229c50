"""The `ledger` command: its commands in the order of `--help`, and what becomes of an error."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from ledger import __version__
from ledger.cli.commands.article.build import build
from ledger.cli.commands.article.lint import lint
from ledger.cli.commands.article.stale import stale
from ledger.cli.commands.ask.conflicts import conflicts
from ledger.cli.commands.ask.coverage import coverage
from ledger.cli.commands.ask.export import export
from ledger.cli.commands.ask.impact import impact
from ledger.cli.commands.ask.log import log
from ledger.cli.commands.ask.search import search
from ledger.cli.commands.ask.show import show
from ledger.cli.commands.ask.sql import sql
from ledger.cli.commands.bench import claims as bench_claims
from ledger.cli.commands.bench.compare import compare
from ledger.cli.commands.bench.model import model
from ledger.cli.commands.bench.pack import pack
from ledger.cli.commands.bench.plan import plan
from ledger.cli.commands.bench.record import record
from ledger.cli.commands.bench.resume import resume
from ledger.cli.commands.bench.run import run
from ledger.cli.commands.bench.take import take
from ledger.cli.commands.check.check import check
from ledger.cli.commands.check.doctor import doctor
from ledger.cli.commands.check.schema import schema
from ledger.cli.commands.check.verify import verify
from ledger.cli.commands.lists.articles import articles
from ledger.cli.commands.lists.claims import claims
from ledger.cli.commands.lists.costs import costs
from ledger.cli.commands.lists.protocols import protocols
from ledger.cli.commands.lists.runs import runs
from ledger.cli.commands.lists.sources import sources
from ledger.cli.commands.source.capture import capture
from ledger.cli.commands.source.recheck import recheck
from ledger.cli.commands.write import add
from ledger.cli.commands.write.init import init
from ledger.cli.commands.write.retract import retract
from ledger.cli.commands.write.review import review
from ledger.cli.commands.write.supersede import supersede
from ledger.cli.input.invocation import Invocation
from ledger.cli.text.output import note, report
from ledger.errors import LedgerError
from ledger.model.values.text import one_line

COMMANDS: tuple[Callable[..., None], ...] = (
    *(claims, sources, costs, show, check, schema, verify),
    *(runs, protocols, articles, search, conflicts, impact, coverage, sql, export),
    *(supersede, retract, review, log, init, doctor),
)
"""Commands of one word; each is named by its function."""
GROUPS: dict[str, tuple[str, tuple[Callable[..., None], ...]]] = {
    "article": ("Lint and build articles and pricing documents.", (lint, build, stale)),
    "source": ("Capture sources, and read those again that are due.", (capture, recheck)),
    "bench": (
        "Run benchmarks through an embedded vLLM, under a plan fixed beforehand.",
        (plan, run, resume, record, compare, bench_claims.claims, model, pack, take),
    ),
}
"""Commands of two words: the first, what its help says, and a function a second word."""


def _print_version(asked: bool) -> None:
    if asked:
        print(f"ledger {__version__}")
        raise typer.Exit


def _options(
    ctx: typer.Context,
    ledger: Annotated[Path, typer.Option("--ledger", metavar="DIR", help="Work on the ledger at or above this folder.")] = Path(),
    version: Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")] = False,  # noqa: ARG001  # read by its callback
) -> None:
    """Dated, sourced claims and measured runs, and the reports built from them."""
    ctx.obj = Invocation(ledger, tuple(sys.argv[1:]))


def _program() -> typer.Typer:
    """The whole program; `add`, whose second word is a kind of record, makes its commands itself."""
    program = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)
    program.callback()(_options)
    for command in COMMANDS:
        program.command()(command)
    program.add_typer(add.app, name="add")
    for name, (about, commands) in GROUPS.items():
        group = typer.Typer(no_args_is_help=True, help=about)
        for command in commands:
            group.command()(command)
        program.add_typer(group, name=name)
    return program


app = _program()


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
