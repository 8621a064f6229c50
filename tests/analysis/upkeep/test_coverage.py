"""What nobody tested, ran, reviewed or read again, against the policy in ledger.toml."""

from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from ledger.analysis.upkeep.coverage import coverage, due_on
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Run
from ledger.model.records.source import Source
from tests.record_fixtures import catalogue_of, make

if TYPE_CHECKING:
    from tests.claim_fixtures import Ask
    from tests.conftest import LedgerFolder

Rows = Callable[..., list[dict[str, Any]]]


def test_each_gap_names_its_records(tested: "LedgerFolder", rows: Rows) -> None:
    tested.add("claim", "untested")
    tested.add("claim", "planned-for")
    tested.add("claim", "idea", label="proposed", source=None, locator=None, bears_on=["planned-for"])
    tested.add("protocol", "idle")
    tested.add_page(recheck_days=20)
    tested.add("review", "old", target="untested")
    tested.add("waiver", "excused", rule="LEDG042", target="untested", reason="R.", until="2025-02-01", by="A.")
    gaps: dict[str, dict[str, str]] = {}
    for row in rows("coverage", "--as-of", "2025-06-01"):
        gaps.setdefault(row["gap"], {})[row["record"]] = row["because"]
    assert gaps == {
        "untested-claim": {"untested": "no measured claim bears on it", "planned-for": "idea proposes a test"},
        "protocol-never-run": {"idle": "no run names it"},
        "source-never-reviewed": {"page": "no review names it"},
        "source-overdue": {"page": "last read on 2025-01-05, due on 2025-01-25"},
        "review-lapsed": {"untested": "reviewed on 2025-02-01 as it was then"},
        "waiver-ran-out": {"excused": "LEDG042 for untested ran out on 2025-02-01"},
    }
    assert [row["record"] for row in rows("coverage", "--gap", "protocol-never-run")] == ["idle"]


def test_a_protocol_whose_runs_are_all_unfinished_was_never_run() -> None:
    records = [make(Protocol, "plan"), make(Protocol, "done"), make(Run, "cut", status="partial"), make(Run, "whole", protocol="done")]
    rows = {row.gap: row for row in coverage(catalogue_of(*records), date(2025, 6, 1), allowed={}, recheck_days=None)}
    assert [(gap.record, gap.because) for gap in rows["protocol-never-run"].uncovered] == [("plan", "its latest run is partial")]
    assert (rows["protocol-never-run"].total, rows["protocol-never-run"].is_exceeded) == (2, False)


@pytest.mark.parametrize(("limit", "code"), [(None, 0), (1, 0), (0, 1)])
def test_the_policy_decides(limit: int | None, code: int, ledger_folder: "LedgerFolder", ask: "Ask") -> None:
    ledger_folder.add_page()
    ledger_folder.add("claim", "untested")
    policy = "" if limit is None else f"[coverage]\nuntested_claims = {limit}\n"
    ledger_folder.write("ledger.toml", f'organisation = "Test Works"\n{policy}')
    assert ask("coverage")[0] == code


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"volatility": "fixed", "recheck_days": 3}, None),
        ({"recheck_days": 3}, date(2025, 1, 8)),
        ({}, date(2025, 1, 15)),
        ({"volatility": "event"}, None),
        ({"captures": (), "recheck_days": 3}, date.min),
    ],
)
def test_when_a_source_is_due(fields: dict[str, Any], expected: date | None) -> None:
    source = make(Source, "p", **{"captures": [{"retrieved_at": date(2025, 1, 5)}], **fields})
    assert due_on(source, 10) == expected
