"""Another writer's import between reading and importing is seen, and nothing is imported twice."""

import pytest

from ledger.errors import DataRefusedError
from tests.api.remote.remote_fixtures import OWN
from tests.bench.plan_ledger import RUN, PlanLedger


def test_what_was_imported_meanwhile_is_refused_under_the_lock(ledger: PlanLedger) -> None:
    ledger.run_away()
    first, second = ledger.open().remote, ledger.open().remote
    remote_run = second.read(ledger.box)
    assert first.import_run(first.read(ledger.box), OWN).id == RUN
    before = ledger.written()
    with pytest.raises(DataRefusedError, match=f"taken already, as {RUN}"):
        second.import_run(remote_run, OWN)
    assert ledger.written() == before


def test_reading_writes_nothing(ledger: PlanLedger) -> None:
    ledger.run_away()
    before = ledger.written()
    remote_run = ledger.open().remote.read(ledger.box)
    assert (remote_run.protocol.id, remote_run.result.status) == ("plan", "complete")
    assert ledger.written() == before
