"""C25 and C26 of the shared cases through the command's own methods, and the same kind with values of our own."""

import json
import subprocess
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from ledger.errors import EnvironmentFaultError
from tests.conftest import ROOT, LedgerFolder
from tests.random_ledger_fixtures import RandomLedger

CASES = ROOT.parent / "shared" / "cases" / "inputs"
needs_cases = pytest.mark.skipif(not CASES.is_dir(), reason="the shared cases are not here")


def test_a_commit_that_is_gone_is_a_warning_and_the_run_stays(random_ledger: Callable[[int], RandomLedger]) -> None:
    made = random_ledger(1)
    made.folder.add_plan()
    plan = made.commit()
    made.folder.add("run", "kept", protocol_commit=plan)
    made.folder.add("run", "orphan", protocol_commit="ab" * 20)
    made.commit()
    findings = made.open().checks.check_history()
    assert [(problem.code, problem.severity, problem.record) for problem in findings] == [("LEDG093", "warning", "orphan")]
    assert "cannot be verified" in findings[0].message
    assert [answer.record.id for answer in made.open().queries.answers("run")] == ["kept", "orphan"]


@needs_cases
def test_c25_shallow_and_rewritten(tmp_path: Path) -> None:
    subprocess.run(["sh", str(CASES / "C25.make.sh"), str(tmp_path / "c25")], check=True, capture_output=True)
    for name in ("full", "shallow", "rewritten"):
        folder = LedgerFolder(tmp_path / "c25" / name)
        folder.add_page()
        folder.add("cost", "p-1", amount="3.00", effective_from="2026-01-01", observed_on="2026-01-05")
        folder.add(
            "cost", "p-2", amount="2.50", effective_from="2026-02-01", supersedes={"id": "p-1", "because": "change", "reason": "cut"}
        )
    shallow = LedgerFolder(tmp_path / "c25" / "shallow").open()
    assert [str(cost.amount) for cost in shallow.costs(as_of=date(2026, 1, 10))] == ["3.00"]
    with pytest.raises(EnvironmentFaultError, match="shallow"):
        shallow.costs(known_at="2025-06-01")
    old = subprocess.run(
        ["git", "rev-parse", "HEAD~1"], cwd=tmp_path / "c25" / "full", check=True, capture_output=True, text=True
    ).stdout.strip()
    rewritten = LedgerFolder(tmp_path / "c25" / "rewritten")
    rewritten.add_plan()
    rewritten.add("run", "e-9", protocol_commit=old)
    told = [problem.message for problem in rewritten.open().checks.check_history() if problem.record == "e-9"]
    assert any("not in this repository" in message and "cannot be verified" in message for message in told)
    assert [answer.record.id for answer in rewritten.open().queries.answers("run")] == ["e-9"]


def test_times_of_every_precision_answer_as_of(ledger_folder: LedgerFolder) -> None:
    """C26: two spellings of one instant, a local time without a zone, the same with one, and a day."""
    ledger_folder.add_page()
    said = {
        "no-zone": "2026-03-01T23:30:00",
        "zone-given": "2026-03-01T23:30:00[America/New_York]",
        "utc": "2026-03-02T04:30:00Z",
        "offset": "2026-03-01T23:30:00-05:00",
        "day": "2026-03-01",
    }
    for name, moment in said.items():
        ledger_folder.add("claim", name, asserted_on=moment)
    on_the_first = [claim.id for claim in ledger_folder.open().claims(as_of=date(2026, 3, 1))]
    assert on_the_first == ["day"]
    assert len(ledger_folder.open().claims(as_of=date(2026, 3, 2))) == 5
    done = ledger_folder.run("claims", "--all", "--sort", "asserted_on", "--format", "json")
    assert done.returncode == 0, done.stderr
    shown = {row["id"]: row["asserted_on"] for row in json.loads(done.stdout)}
    assert [shown[name] for name in ("utc", "offset", "zone-given")] == ["2026-03-02T04:30:00Z"] * 3
    assert (shown["no-zone"], shown["day"]) == ("2026-03-01T23:30:00 (zone unknown)", "2026-03-01")
