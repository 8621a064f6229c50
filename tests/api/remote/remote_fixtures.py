"""A ledger whose plan has landed, imports into it, and hands that change a journal."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ledger.model.records.run import Executor, Run
from tests.bench.journal.journal_fixtures import chain_again
from tests.bench.plan_ledger import PlanLedger

OWN = Executor(relation="own", organisation="Test Works")


@pytest.fixture
def ledger(tmp_path: Path) -> PlanLedger:
    """A ledger whose plan has landed."""
    return PlanLedger(tmp_path / "works")


def take(ledger: PlanLedger, folder: Path | None = None, executor: Executor = OWN) -> Run:
    """Take a run home and return its record as it lies in the ledger."""
    opened = ledger.open()
    run_id = opened.remote.import_run(opened.remote.read(folder or ledger.box), executor).id
    return ledger.open().runs.run(run_id)


def killed(ledger: PlanLedger) -> None:
    """Cut the journal in the second arm, as a kill would leave it."""
    lines = ledger.journal.read_bytes().splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if b'"kind":"cell-start","arm":"ngram"' in line)
    ledger.journal.write_bytes(b"".join(lines[: place + 2]))


Edit = Callable[[PlanLedger], object]


def edit_header(change: Callable[[dict[str, Any]], object]) -> Edit:
    """Change the first line of the journal."""

    def edit(ledger: PlanLedger) -> None:
        first, *others = ledger.journal.read_text("utf-8").splitlines(keepends=True)
        header = json.loads(first)
        change(header)
        ledger.journal.write_text("".join([f"{json.dumps(header)}\n", *others]), encoding="utf-8")
        chain_again(ledger.journal)

    return edit


def edit_text(old: str, new: str, *, chained: bool = True) -> Edit:
    """Change text in the journal, once, and write its chain anew unless told otherwise."""

    def edit(ledger: PlanLedger) -> None:
        text = ledger.journal.read_text("utf-8")
        assert old in text
        ledger.journal.write_text(text.replace(old, new, 1), encoding="utf-8")
        if chained:
            chain_again(ledger.journal)

    return edit
