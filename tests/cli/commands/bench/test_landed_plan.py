"""Whether a plan is fixed: as it landed, changed since, and where no history tells."""

from pathlib import Path

import pytest

from ledger.cli.commands.bench.landed_plan import require_landed_plan
from ledger.errors import DataRefusedError, EnvironmentFaultError
from tests.bench.plan_ledger import PLAN, PlanLedger
from tests.conftest import LedgerFolder


def test_a_landed_plan_is_fixed_and_a_changed_one_is_not(tmp_path: Path) -> None:
    folder = PlanLedger(tmp_path / "works")
    assert require_landed_plan(folder.open(), PLAN, unplanned=False) is True
    assert require_landed_plan(folder.open(), PLAN, unplanned=True) is True
    folder.add("protocol", PLAN, suites=["suite"], repeats=2)
    with pytest.raises(DataRefusedError, match=r"plan: not landed on main as it stands, so the plan is not fixed\."):
        require_landed_plan(folder.open(), PLAN, unplanned=False)
    assert require_landed_plan(folder.open(), PLAN, unplanned=True) is False


def test_without_a_history_that_is_the_fault(ledger_folder: LedgerFolder) -> None:
    ledger_folder.add_plan()
    with pytest.raises(EnvironmentFaultError, match="no git repository"):
        require_landed_plan(ledger_folder.open(), PLAN, unplanned=False)
    assert require_landed_plan(ledger_folder.open(), PLAN, unplanned=True) is False
