"""Runs: requested without writing, recorded once, and continued under the right id."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from ledger.errors import DataRefusedError, UsageError
from tests.bench.plan_ledger import PLAN, RUN, PlanLedger, fake
from tests.bench.virtual_time import VirtualClock

TODAY = date(2026, 1, 1)


@pytest.fixture
def ledger(tmp_path: Path) -> PlanLedger:
    """A ledger whose plan has landed."""
    return PlanLedger(tmp_path / "works")


def test_a_request_holds_the_plan_and_writes_nothing(ledger: PlanLedger) -> None:
    before = ledger.written()
    request = ledger.open().runs.request(PLAN, model=ledger.model, planned=True, today=TODAY)
    assert request.out_dir == ledger.root / "records/evidence" / RUN
    assert request.protocol_commit == ledger.git("rev-parse", "HEAD").strip()
    assert (request.planned, len(request.prompts), list(request.inputs)) == (True, 4, ["prompts", "suite"])
    assert request.telemetry is not None
    assert (request.telemetry.prompts, request.telemetry.allowed_by) == ("hash", "Test Works")
    assert ledger.written() == before


def test_ids_are_numbered_from_the_second_run_of_a_day(ledger: PlanLedger) -> None:
    runs = ledger.open().runs
    assert runs.new_id(PLAN, TODAY) == RUN
    runs.folder(RUN).mkdir(parents=True)
    assert runs.new_id(PLAN, TODAY) == f"{RUN}-2"


def test_a_run_is_recorded_verified_and_refused_a_second_record(ledger: PlanLedger) -> None:
    ledger.run_here()
    runs = ledger.open().runs
    run = runs.run(RUN)
    assert (run.id, run.executor.organisation, run.author) == (RUN, "Test Works", "Test Works")
    assert runs.record_path(RUN).is_file()
    assert runs.verify(RUN) == []
    with pytest.raises(DataRefusedError, match="is on record as far as it went"):
        runs.record_interrupted(RUN, "own")
    with pytest.raises(UsageError, match=rf"other: no such run\. There is {RUN}\."):
        runs.run("other")


def cut(ledger: PlanLedger) -> None:
    """Cut the journal of the run in its second arm and take its record away, as a kill would leave it."""
    path = ledger.root / "records/evidence" / RUN / "journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if b'"kind":"cell-start","arm":"ngram"' in line)
    path.write_bytes(b"".join(lines[: place + 2]))
    (ledger.root / f"records/runs/{RUN}.json").unlink()


def test_an_interrupted_run_goes_on_under_its_id_until_its_record_has_landed(ledger: PlanLedger) -> None:
    ledger.run_here()
    cut(ledger)
    runs = ledger.open().runs
    assert [str(run) for run in runs.unfinished()] == [f"{RUN} (1 of 2 cells finished)"]
    assert (runs.continuation(RUN, TODAY).id, runs.continuation(RUN, TODAY).part) == (RUN, None)
    assert runs.record_interrupted(RUN, "own").status == "partial"
    ledger.land("2026-01-02T00:00:00Z")
    landed = ledger.open().runs
    assert (landed.continuation(RUN, TODAY).id, landed.continuation(RUN, TODAY).part) == (f"{RUN}-2", RUN)
    assert not landed.folder(f"{RUN}-2").exists()  # asking copies nothing
    with pytest.raises(DataRefusedError, match="its record has landed and stays"):
        landed.record_interrupted(RUN, "own")


def test_a_resumed_run_is_complete(ledger: PlanLedger) -> None:
    ledger.run_here()
    cut(ledger)
    runs = ledger.open().runs
    runs.backend_factory = lambda *_: fake()
    assert runs.resume(RUN, model=ledger.model, executor="own", today=TODAY).status == "complete"
    assert ledger.open().runs.verify(RUN) == []
    with pytest.raises(UsageError, match="no journal of it here"):
        runs.resume("other", model=ledger.model, executor="own", today=TODAY)


def test_claims_are_drafted_into_files(ledger: PlanLedger) -> None:
    ledger.run_here()
    paths = ledger.open().runs.draft_claims(RUN, date(2026, 1, 2))
    assert paths
    assert {path.parent.name for path in paths} == {"claims"}
    assert {claim.label for claim in ledger.open().claims()} == {"measured"}


def test_a_request_can_be_carried_out_elsewhere(ledger: PlanLedger) -> None:
    runs = ledger.open().runs
    request = runs.request(PLAN, model=ledger.model, planned=False, today=TODAY)
    request = replace(request, out_dir=runs.folder("named"), clock=VirtualClock(), backend_factory=lambda *_: fake())
    run = runs.execute(request, "third-party")
    assert (run.id, run.planned, run.executor.relation) == ("named", False, "third-party")
