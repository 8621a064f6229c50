"""`ledger add KIND`: one command a kind, its options made from the model."""

import inspect
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ledger.api import Ledger
from ledger.api.command_line.typed_fields import ids_with_prefix, kinds_by_hand
from ledger.cli.commands.write.written import print_written
from ledger.cli.input.fields import missing, options_of, typed_fields
from ledger.cli.input.invocation import open_ledger, today
from ledger.cli.input.prompts import ask, ask_missing, at_terminal, prompt
from ledger.cli.text.output import report
from ledger.errors import DataRefusedError, UsageError


class KindCommands(TyperGroup):
    """A command a kind; one is made when it is asked for, so that the others cost no start-up time."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  # named by the class above
        """Return the kinds that are written by hand."""
        return list(kinds_by_hand())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of a kind; None for any other name."""
        if cmd_name not in self.list_commands(ctx):
            return super().get_command(ctx, cmd_name)
        only = typer.Typer(add_completion=False, rich_markup_mode=None)
        only.command(cmd_name)(add_command(cmd_name))
        return typer.main.get_command(only)


app = typer.Typer(cls=KindCommands, no_args_is_help=True)


@app.callback()
def add() -> None:
    """Add a record: asks at a terminal, takes options in a script."""


_FROM = typer.Option("--from", metavar="FILE", help="TOML of one record, - for standard input; options replace its fields.")


def add_command(kind: str) -> Callable[..., None]:
    """Return the command function that adds a record of one kind."""

    def command(ctx: typer.Context, **given: Any) -> None:
        source = given.pop("from_file")
        fields = {**(_read(source, kind) if source else {}), **typed_fields(kind, given)}
        _add(open_ledger(ctx), kind, fields)

    context = inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    source = inspect.Parameter("from_file", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[Path | None, _FROM])
    parameters = [context, *(option.parameter() for option in options_of(kind)), source]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # read by inspect.signature
    command.__doc__ = f"Add a {kind}. Without --id it gets one made from its text."
    return command


def _read(path: Path, kind: str) -> dict[str, Any]:
    """The fields of the one record in a file: under `[[kind]]`, or bare."""
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
        data = tomllib.loads(text.removeprefix("\ufeff"))
    except OSError as error:
        raise UsageError(f"--from {path}: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataRefusedError(f"--from {path}: {error}. Mend the syntax; nothing was written.") from None
    if not isinstance(data.get(kind), list):
        return data
    if len(data) > 1 or len(data[kind]) != 1:
        raise DataRefusedError(f"--from {path}: expected one {kind}, got more. Give one record at a time; nothing was written.")
    fields: dict[str, Any] = data[kind][0]
    return fields


def _add(ledger: Ledger, kind: str, fields: dict[str, Any]) -> None:
    if not at_terminal():
        if lacking := missing(kind, {**fields, **dict.fromkeys(_writer_fields(ledger, kind))}):
            raise UsageError(f"a {kind} needs {', '.join(option.flag for option in lacking)}. Nothing was written.")
        print_written(ledger.writing.record_writer(today()).add(kind, fields))
        return

    def ids(text: str, of_kind: str | None) -> list[str]:
        return ids_with_prefix(ledger.root, text, of_kind)

    if missing(kind, fields):
        signed = dict.fromkeys(_writer_fields(ledger, kind), ledger.writing.record_writer(today()).writer)
        fields = ask_missing(kind, {**signed, **fields}, ids)
    while True:
        try:
            print_written(ledger.writing.record_writer(today()).add(kind, fields))
            return
        except DataRefusedError as error:
            report(error.problems, stream=sys.stderr)
            fields = _mend(kind, fields, ids)


def _writer_fields(ledger: Ledger, kind: str) -> list[str]:
    """Fields that git's user.name fills in."""
    names = [option.name for option in options_of(kind) if option.name in ("author", "by", "reviewer")]
    return names if names and ledger.writing.record_writer(today()).writer else []


def _mend(kind: str, fields: dict[str, Any], ids: Callable[[str, str | None], list[str]]) -> dict[str, Any]:
    """The fields with one asked anew, so that a refusal at a terminal loses no answer."""
    options = {option.name: option for option in options_of(kind)}
    name = prompt("Which field to mend (empty stops)? ", lambda text: [name for name in options if name.startswith(text)])
    if name not in options:
        raise UsageError("stopped; nothing was written." if not name else f"{name}: no field of a {kind}; nothing was written.")
    answer = ask(options[name], ids, optional=True)
    return {key: value for key, value in {**fields, name: answer}.items() if value is not None}
