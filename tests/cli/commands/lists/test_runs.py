"""`ledger runs`: filters, and runs that were interrupted before they had a record."""

from typing import TYPE_CHECKING

from tests.cli.conftest import ids

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_protocol_and_status_narrow(tested: "LedgerFolder", command: "Command") -> None:
    tested.add("protocol", "idle")
    tested.add("run", "broken", status="failed", protocol="idle")
    assert ids(command, "runs") == ["broken", "ours"]
    assert ids(command, "runs", "--status", "complete") == ["ours"]
    assert ids(command, "runs", "--protocol", "idle") == ["broken"]


def test_an_interrupted_run_is_told_and_the_past_knows_none(tested: "LedgerFolder", command: "Command") -> None:
    tested.write("records/evidence/2025-05-01-plan/journal.jsonl", "")
    tested.write("records/evidence/ours/journal.jsonl", "")
    done = command("runs")
    assert done.code == 0
    assert done.err == "interrupted, without a record: 2025-05-01-plan. `ledger bench resume RUN` finishes one.\n"
    tested.git("init", "-q", "-b", "main")
    tested.git("add", ".")
    tested.git("commit", "-qm", "one")
    assert command("runs", "--known-at", "main").err == ""
