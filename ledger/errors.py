"""What can go wrong, and how it is said: a `Problem` is a value, a `LedgerError` ends the command.

Faults in data are `Problem`s, collected and reported all at once. Faults of usage or of the
environment are a `LedgerError`, which names its exit code. This module imports nothing of ours.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Literal

Severity = Literal["error", "warning"]
FieldPath = tuple[str | int, ...]


class ExitCode(IntEnum):
    """What the shell sees."""

    DONE = 0
    FINDINGS = 1
    USAGE = 2
    ENVIRONMENT = 3
    REFUSED = 4
    STOPPED = 130
    """As shells say it of a command ended by Ctrl-C."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding: where it is, what was found and expected, and how to mend it."""

    code: str
    message: str
    remedy: str
    path: str = ""
    """File, relative to the ledger's root, with forward slashes."""
    field: FieldPath = ()
    """Keys and indices from the top of the file; the store turns them into line and column."""
    line: int | None = None
    column: int | None = None
    """Both count from 1."""
    severity: Severity = "error"
    record: str = ""
    """Id of the record it is about; empty where it is about a file."""

    def at(self, line: int, column: int) -> "Problem":
        """Return this problem placed at a line and column."""
        return replace(self, line=line, column=column)

    @property
    def place(self) -> str:
        """`file:line:column`, as far as known."""
        parts = [self.path] + [str(p) for p in (self.line, self.column) if p is not None]
        return ":".join(parts)

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        """Order of reports: by file, then by position."""
        return (self.path, self.line or 0, self.column or 0, self.code, self.message)

    def __str__(self) -> str:
        prefix = f"{self.place}: " if self.path else ""
        kind = "warning: " if self.severity == "warning" else ""
        return f"{prefix}{kind}{self.message} {self.remedy} [{self.code}]"


def ordered(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems in the order they are reported, each once."""
    return sorted(dict.fromkeys(problems), key=lambda problem: problem.sort_key)


def has_errors(problems: Iterable[Problem]) -> bool:
    """Whether any of the problems is more than a warning."""
    return any(problem.severity == "error" for problem in problems)


class LedgerError(Exception):
    """Ends a command with one clear line and an exit code."""

    exit_code = ExitCode.FINDINGS

    def __init__(self, message: str, problems: Iterable[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)

    def __reduce__(self) -> "tuple[type[LedgerError], tuple[str, tuple[Problem, ...]]]":
        """Cross from one process to another with its problems."""
        return type(self), (str(self), self.problems)


class UsageError(LedgerError):
    """The command was asked for something it does not offer."""

    exit_code = ExitCode.USAGE


class EnvironmentFaultError(LedgerError):
    """Something outside the ledger is missing: a library, a device, git."""

    exit_code = ExitCode.ENVIRONMENT


class DataRefusedError(LedgerError):
    """The data given cannot be accepted as it is."""

    exit_code = ExitCode.REFUSED


class StoppedError(LedgerError):
    """The user, or the system, stopped what was at work."""

    exit_code = ExitCode.STOPPED


class FindingsError(LedgerError):
    """A build or check stopped on findings, which it carries."""

    exit_code = ExitCode.FINDINGS
