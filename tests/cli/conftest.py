"""The real command, in this process where no process of its own is needed."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from ledger.cli.main import main
from tests.claim_fixtures import tested
from tests.cli.compare_fixtures import run_folder

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

__all__ = ["run_folder", "tested"]
NO_GIT_NAME = {"HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}
"""An environment in which git knows nobody's name."""


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str


Command = Callable[..., Done]


@pytest.fixture
def command(ledger_folder: "LedgerFolder", monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """A function that runs `ledger` with arguments inside the ledger, on a terminal of 80 columns."""
    monkeypatch.chdir(ledger_folder.root)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["ledger", *arguments])
        capsys.readouterr()
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        printed = capsys.readouterr()
        return Done(code, printed.out, printed.err)

    return run


@pytest.fixture
def filled(ledger_folder: "LedgerFolder") -> "LedgerFolder":
    """A ledger with a source, claims and costs of several states."""
    ledger_folder.add_page(url="https://demo.example/p")
    quantities = [{"name": "gain", "metric": "speedup", "bound": "up-to", "value": "2.8", "unit": "x", "conditions": {"load": "one user"}}]
    ledger_folder.add("claim", "gain", statement="A gain of {gain}.", quantities=quantities)
    ledger_folder.add("claim", "later", asserted_on="2025-03-01", supersedes={"id": "gain", "because": "change", "reason": "New release."})
    ledger_folder.add("claim", "idea", label="proposed", subject="demo/cache")
    ledger_folder.add("cost", "box")
    ledger_folder.add("cost", "box-3-years", term="three years", price_kind="reserved", amount="1.10")
    ledger_folder.add("cost", "box-1-year", term="one year", price_kind="reserved", amount="1.40")
    return ledger_folder


@pytest.fixture
def page_folder(ledger_folder: "LedgerFolder", monkeypatch: pytest.MonkeyPatch) -> "LedgerFolder":
    """A ledger with a page and the claim `drafts` by A. Uthor, where git knows nobody's name."""
    monkeypatch.delenv("GIT_AUTHOR_NAME", raising=False)
    for name, value in NO_GIT_NAME.items():
        monkeypatch.setenv(name, value)
    ledger_folder.add_page()
    ledger_folder.add("claim", "drafts", author="A. Uthor")
    return ledger_folder


def strict(text: str) -> Any:
    """Return JSON read as strictly as jq reads it: no NaN, no Infinity, no key twice."""

    def refuse(name: str) -> None:
        raise AssertionError(name)

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    return json.loads(text, parse_constant=refuse, object_pairs_hook=once)


def rows_of(command: Command, *arguments: str) -> list[dict[str, Any]]:
    """Return the rows that a list answers with, which says nothing else."""
    done = command(*arguments, "--format", "json")
    assert (done.code, done.err) == (0, "")
    rows: list[dict[str, Any]] = strict(done.out)
    return rows


def ids(command: Command, *arguments: str) -> list[str]:
    """Return the ids that a list answers with."""
    return [row["id"] for row in rows_of(command, *arguments)]
