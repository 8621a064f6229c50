"""`ledger conflicts SUBJECT`: paragraphs and a count for people, rows for programs."""

from typing import TYPE_CHECKING

from tests.cli.conftest import rows_of

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_a_measured_claim_beside_the_vendors(tested: "LedgerFolder", command: "Command") -> None:
    done = command("conflicts", "demo", "--as-of", "2025-06-01")
    assert done.code == 0
    assert done.err == "1 metrics with more than one claim, 0 named conflicts, 1 tests, as of 2025-06-01.\n"
    assert "up to 3.1x (vendor-up-to#gain)" in done.out
    assert "we-measured tests vendor-up-to: inconclusive" in done.out
    assert [row["because"] for row in rows_of(command, "conflicts", "demo")] == ["same metric", "same metric", "tested"]


def test_another_metric_leaves_groups_and_named_pairs_out(tested: "LedgerFolder", command: "Command") -> None:
    assert [row["because"] for row in rows_of(command, "conflicts", "demo", "--metric", "latency")] == ["tested"]


def test_closed_claims_are_left_out_unless_asked_for(filled: "LedgerFolder", command: "Command") -> None:
    filled.add("claim", "other", conflicts_with=["gain"])
    filled.add("retraction", "gone", target="other")
    assert rows_of(command, "conflicts", "demo") == []
    assert [row["because"] for row in rows_of(command, "conflicts", "demo", "--all")] == ["named"]
