"""`ledger protocols`: how many complete runs each has."""

from typing import TYPE_CHECKING

from tests.cli.conftest import ids, rows_of

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_only_complete_runs_count(tested: "LedgerFolder", command: "Command") -> None:
    tested.add("protocol", "idle")
    tested.add("run", "broken", status="failed", protocol="idle")
    rows = {row["id"]: row["runs"] for row in rows_of(command, "protocols")}
    assert rows == {"plan": "1 complete run", "idle": "never run"}
    assert ids(command, "protocols", "--never-run") == ["idle"]


def test_the_limit_counts_what_is_left_after_the_filter(tested: "LedgerFolder", command: "Command") -> None:
    for name in ("x", "y"):
        tested.add("protocol", name)
    assert ids(command, "protocols", "--never-run", "--limit", "1") == ["x"]
    assert ids(command, "protocols", "--sort", "-id") == ["y", "x", "plan"]
