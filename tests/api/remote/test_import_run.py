"""An imported run is the run it would have been here; parts, cut-off imports and late plans."""

import json
import shutil
from datetime import date
from pathlib import Path

import pytest

from ledger.bench.journal.events import EVENTS
from ledger.bench.journal.evidence_rows import TRACES
from ledger.bench.journal.journal import NAME
from ledger.errors import LedgerError
from ledger.model.records.run import Executor
from tests.api.remote.remote_fixtures import edit_header, killed, take
from tests.bench.fake_engine import Script, Step
from tests.bench.journal.journal_fixtures import unchain
from tests.bench.plan_ledger import PLAN, RUN, PlanLedger, fake
from tests.bench.virtual_time import EPOCH, VirtualClock


def comparable(ledger: PlanLedger) -> dict[str, bytes]:
    """What is written, but for what an import adds to the journal, the command, and what the device did meanwhile."""
    written = {path: content for path, content in ledger.written().items() if not path.endswith((NAME, EVENTS))}
    path = f"records/runs/{RUN}.json"
    [record] = json.loads(written[path])["run"]
    record["evidence"] = [item for item in record["evidence"] if not item["path"].endswith(EVENTS)]
    record.pop("conditions")
    record["environment"].pop("command")
    return written | {path: json.dumps(record).encode()}


def test_a_run_taken_home_equals_a_local_one(ledger: PlanLedger) -> None:
    ledger.run_here()
    here = comparable(ledger)
    (ledger.root / "records/runs" / f"{RUN}.json").unlink()
    shutil.rmtree(ledger.root / "records/evidence" / RUN)
    ledger.run_away()
    (ledger.box / "engine.log").write_text("loaded")
    assert take(ledger).id == RUN
    assert comparable(ledger) == here
    assert ledger.check() == []
    assert ledger.open().runs.verify(RUN) == []


def test_the_executor_is_the_one_named(ledger: PlanLedger) -> None:
    ledger.run_away()
    run = take(ledger, executor=Executor(relation="supplier", organisation="Vendor"))
    assert (run.executor.relation, run.executor.organisation, run.author) == ("supplier", "Vendor", "Test Works")
    assert ledger.open().runs.verify(run.id) == []


def test_an_unplanned_pack_stays_unplanned(ledger: PlanLedger) -> None:
    ledger.run_away(planned=False)
    run = take(ledger)
    assert (run.planned, run.decision) == (False, None)


def test_a_plan_that_landed_after_the_start_was_none(tmp_path: Path) -> None:
    ledger = PlanLedger(tmp_path / "works", landed_at="2026-01-01T02:00:00Z")
    ledger.run_away()
    run = take(ledger)
    assert not run.planned
    assert "plan landed at 2026-01-01 02:00:00 UTC, after the start at 2026-01-01 00:16:40" in run.deviations[0]
    assert all(name in run.deviations[0] for name in ("prompts landed", "suite landed"))
    assert ledger.open().runs.verify(run.id) == []


def test_a_plan_that_has_not_landed_here_was_none(ledger: PlanLedger) -> None:
    ledger.add("protocol", PLAN, suites=["suite"], seed=1)
    ledger.run_away()
    run = take(ledger)
    assert (run.planned, run.deviations) == (False, ("unplanned: plan has not landed",))


def test_a_journal_without_hashes_of_an_earlier_release_is_taken(ledger: PlanLedger) -> None:
    ledger.run_away()
    edit_header(lambda header: header.pop("inputs"))(ledger)
    unchain(ledger.journal)
    run = take(ledger)
    assert run.status == "complete"
    assert run.deviations == ("the journal was written by a release that did not chain its lines, so an edit of them would not show",)


def test_a_part_is_taken_and_the_finished_run_supersedes_it(ledger: PlanLedger) -> None:
    ledger.run_away()
    killed(ledger)
    part = take(ledger)
    assert part.status == "partial"
    with pytest.raises(LedgerError, match=f"taken already, as {RUN}"):
        take(ledger)
    assert ledger.away("resume") == 0
    whole = take(ledger)
    assert (whole.id, whole.status) == (f"{RUN}-2", "complete")
    assert whole.supersedes is not None
    assert (whole.supersedes.id, whole.supersedes.because) == (RUN, "correction")
    with pytest.raises(LedgerError, match=f"taken already, as {RUN}-2"):
        take(ledger)
    assert ledger.check() == []
    assert ledger.open().runs.verify(whole.id) == []


def test_a_part_that_somebody_else_ran_is_not_finished_here(ledger: PlanLedger) -> None:
    ledger.run_away()
    killed(ledger)
    take(ledger, executor=Executor(relation="supplier", organisation="Chip Works"))
    with pytest.raises(LedgerError, match=f"{RUN}: Chip Works executed it"):
        ledger.open().runs.continuation(RUN, date(2026, 1, 2))


def test_another_run_of_the_same_instant_is_not_the_rest_of_a_part(ledger: PlanLedger) -> None:
    ledger.run_away()
    killed(ledger)
    take(ledger)
    shutil.rmtree(ledger.box)
    assert ledger.away("run", backend=fake(lambda _: Script(steps=(Step(0.5, 1),)))) == 0
    with pytest.raises(LedgerError, match="taken already"):
        take(ledger)


def test_a_taking_that_was_killed_is_taken_up(ledger: PlanLedger) -> None:
    """Evidence without a record, and a draft of it, are what a kill leaves; the run keeps its id."""
    ledger.run_away()
    take(ledger)
    wanted = ledger.written()
    ledger.open().runs.record_path(RUN).unlink()
    evidence = ledger.root / "records/evidence"
    (evidence / RUN / TRACES).write_bytes(b"half")
    shutil.copytree(evidence / RUN, evidence / ".importing-x" / RUN)
    assert take(ledger).id == RUN
    assert ledger.written() == wanted


def test_a_second_run_of_a_day_gets_a_number(ledger: PlanLedger) -> None:
    ledger.run_away()
    take(ledger)
    shutil.rmtree(ledger.box)
    assert ledger.away("run", clock=VirtualClock(5000.0)) == 0
    assert take(ledger).id == f"{RUN}-2"


def test_no_name_of_the_machine_enters(ledger: PlanLedger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/jane-doe")
    monkeypatch.setenv("USER", "jane-doe")
    monkeypatch.setenv("LOGNAME", "jane-doe")
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    failure = "OSError: file:///home/jane-doe/models/m.bin, or '/srv/tenants/acme/x y', is not readable by jane-doe"
    ledger.pack()
    assert ledger.away("run", backend=fake(lambda _: Script(fails=failure))) == 1
    run = take(ledger)
    texts = [path.read_bytes() for path in (ledger.journal, *(ledger.root / "records/evidence" / RUN).iterdir())]
    texts.append(ledger.open().runs.record_path(run.id).read_bytes())
    assert b"OSError" in texts[0]
    for name in (b"jane-doe", b"acme", b"hf_secret", str(ledger.root.parent).encode()):
        assert not any(name in text for text in texts), name
    assert run.started_at == EPOCH.replace(minute=16, second=40)
