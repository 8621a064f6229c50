"""Fixtures that conftests take over: a ledger in which claims test each other, and the real command in this process."""

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from ledger.cli.main import main

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask(ledger_folder: "LedgerFolder", monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """A function that runs `ledger` inside the ledger and returns exit code, output and what went to standard error."""
    monkeypatch.chdir(ledger_folder.root)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["ledger", *arguments])
        capsys.readouterr()
        code: Any = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
        done = capsys.readouterr()
        return int(code), done.out, done.err

    return run


@pytest.fixture
def rows(ask: Ask) -> Callable[..., list[dict[str, Any]]]:
    """A function that runs a list as JSON and returns its rows."""

    def read(*arguments: str) -> list[dict[str, Any]]:
        _code, out, err = ask(*arguments, "--format", "json")
        assert out, err
        found: list[dict[str, Any]] = json.loads(out)
        return found

    return read


@pytest.fixture
def tested(ledger_folder: "LedgerFolder") -> "LedgerFolder":
    """A vendor's `up to 3.1x`, a plan and a run of our own, and a measured claim that bears on it."""
    folder = ledger_folder
    folder.add_page()
    speedup = {"name": "gain", "metric": "throughput-speedup", "value": "3.1", "bound": "up-to", "unit": "x"}
    conditions = {"model": "demo", "hardware": "a CPU"}
    folder.add("claim", "vendor-up-to", statement="It gave {gain}.", quantities=[{**speedup, "conditions": conditions}])
    folder.write("records/prompts.jsonl", '{"id": "a", "prompt": "x"}\n{"id": "b", "prompt": "y"}\n')
    folder.add("protocol", "plan")
    ratio = {"value": 1.6, "low": 1.5, "high": 1.7, "unit": "ratio", "n": 40}
    comparisons = [{"arm": "ngram", "base": "base", "load": "c1", "metrics": {"throughput.mean": ratio}}]
    folder.add("run", "ours", comparisons=comparisons, environment={"hardware": "a CPU", "engine": "vllm 0.32.0"})
    values = {"gain": "run:ours#ngram~base/c1/throughput.mean"}
    measured = {"label": "measured", "source": None, "locator": None, "asserted_on": "2025-04-02"}
    folder.add("claim", "we-measured", **measured, statement="We saw {gain}.", values=values, bears_on=["vendor-up-to"])
    return folder
