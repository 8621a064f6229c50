"""What a command works on: the ledger that `--ledger` names, the words that were typed, and the day of the local clock."""

from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

import typer

from ledger.api import Ledger
from ledger.cli.text.output import Account, note
from ledger.errors import UsageError
from ledger.model.values.values import read_day


@dataclass(frozen=True, slots=True)
class Invocation:
    """One start of the program; the main callback puts it into Typer's context."""

    folder: Path
    """Where `--ledger` points."""
    words: tuple[str, ...]
    """What was typed after the program's name."""


def invocation_of(ctx: typer.Context) -> Invocation:
    """Return what the main callback put into the context."""
    invocation = ctx.obj
    assert isinstance(invocation, Invocation)  # the callback runs before every command
    return invocation


def open_ledger(ctx: typer.Context) -> Ledger:
    """Return the ledger that the command works on.

    Raises:
        UsageError: there is none at or above the folder.
        DataRefusedError: its `ledger.toml` has faults.
    """
    return Ledger.open(invocation_of(ctx).folder)


def account_of(ctx: typer.Context, ledger: Ledger) -> Account:
    """Return who asks what of a ledger."""
    return Account(ledger.settings.organisation, invocation_of(ctx).words, ledger.files.now().date(), ledger.files.head)


def today() -> date:
    """Return the day of the local clock; the one place where commands read it."""
    return datetime.now().astimezone().date()


def warn_of_unread(ledger: Ledger) -> None:
    """Say on standard error which files answer no query because they have faults."""
    paths = sorted({problem.path for problem in ledger.files.record_files.all.problems if problem.severity == "error"})
    if paths:
        shown = ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
        note(f"warning: records in {shown} have faults and are left out. Run `ledger check`.")


def read_as_of(text: str | None, *, announced: bool = False) -> date:
    """Return the day that `--as-of` names, today by default.

    Args:
        text: What was typed.
        announced: Whether a day to come may be asked for, as announced prices answer for one.

    Raises:
        UsageError: the text is no whole day, or names a day to come that may not be asked for.
    """
    if text is None:
        return today()
    try:
        day = read_day(text)
    except ValueError as error:
        raise UsageError(f"--as-of: {error}.") from None
    if day > today() and not announced:
        raise UsageError(f"--as-of: {day} lies in the future; the ledger knows what held up to {today()}. Give an earlier day.")
    return day
