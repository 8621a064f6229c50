"""`ledger verify`: runs, the history, and what is asked for when nothing is named."""

import json
from typing import TYPE_CHECKING

import pytest

from tests.bench.plan_ledger import RUN, PlanLedger

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command


@pytest.fixture
def ledger_folder(tmp_path: "Path") -> PlanLedger:
    """A ledger whose plan has landed and was run."""
    folder = PlanLedger(tmp_path / "works", suites=[])
    folder.run_here()
    return folder


def test_a_run_and_the_history_are_verified_together(ledger_folder: PlanLedger, command: "Command") -> None:
    done = command("verify", RUN, "--history")
    assert (done.code, done.out) == (0, "")
    *listed, last = done.err.splitlines()
    assert last == "1 run(s) and the history verified: 0 finding(s)."
    assert " ".join(listed).startswith(f"{RUN}: recorded, not recomputable: author, note, supersedes (what the record states of itself)")


def test_a_changed_number_and_a_rewritten_record_are_findings(ledger_folder: PlanLedger, command: "Command") -> None:
    path = ledger_folder.root / f"records/runs/{RUN}.json"
    text = path.read_text(encoding="utf-8")
    record = json.loads(text)
    record["run"][0]["cells"][0]["metrics"]["tpot.p50"]["value"] += 0.5
    path.write_text(json.dumps(record), encoding="utf-8")
    done = command("verify", RUN)
    assert done.code == 1
    assert "[LEDG062]" in done.out
    ledger_folder.add("workload", "prompts", count=4, title="Another title", sha256="0" * 64)
    done = command("verify", "--history")
    assert (done.code, done.err.startswith("0 run(s) and the history verified: ")) == (1, True)


def test_nothing_to_verify_is_a_mistake(ledger_folder: PlanLedger, command: "Command") -> None:
    done = command("verify")
    assert (done.code, done.err) == (2, "nothing to verify. Name a run, or give --history.\n")
