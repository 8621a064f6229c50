"""The real command, in this process where no process of its own is needed."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from ledger.cli.main import main

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


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
