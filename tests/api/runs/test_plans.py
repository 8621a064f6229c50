"""Plans: what a run needs before it starts, held to its hashes, and what of it has landed."""

from pathlib import Path

import pytest

from ledger.errors import DataRefusedError, EnvironmentFaultError, UsageError
from tests.bench.plan_ledger import PLAN, PlanLedger


@pytest.fixture
def ledger(tmp_path: Path) -> PlanLedger:
    """A ledger whose plan has landed."""
    return PlanLedger(tmp_path / "works")


def test_a_plan_runs_on_its_prompts_and_suite_items(ledger: PlanLedger) -> None:
    plans = ledger.open().plans
    inputs = plans.inputs(plans.protocol(PLAN))
    assert [prompt.id for prompt in inputs.prompts] == ["p0", "p1", "p2", "p3"]
    assert [item.id for item in inputs.items] == ["one", "two"]
    assert list(plans.input_hashes(plans.protocol(PLAN))) == ["prompts", "suite"]


def test_a_changed_and_a_missing_file_stop_it(ledger: PlanLedger) -> None:
    path = ledger.root / "records/workloads/prompts.jsonl"
    path.write_text(path.read_text() + "\n")
    plans = ledger.open().plans
    with pytest.raises(DataRefusedError, match=r"records/workloads/prompts\.jsonl: differs from the hash in prompts"):
        plans.inputs(plans.protocol(PLAN))
    path.unlink()
    with pytest.raises(DataRefusedError, match=r"prompts\.jsonl: not there"):
        plans.outline(PLAN)


def test_an_unknown_plan_names_those_there_are(ledger: PlanLedger) -> None:
    with pytest.raises(UsageError, match=r"plam: no such protocol\. There is plan\."):
        ledger.open().plans.protocol("plam")


def test_what_has_not_landed_as_it_stands_is_told(ledger: PlanLedger) -> None:
    assert ledger.open().plans.not_landed(PLAN) == []
    ledger.add("protocol", PLAN, suites=["suite"], seed=1)
    assert ledger.open().plans.not_landed(PLAN) == [PLAN]


def test_a_model_is_the_folder_given_where_there_is_one(ledger: PlanLedger, monkeypatch: pytest.MonkeyPatch) -> None:
    plans = ledger.open().plans
    assert plans.model_folder("demo", ledger.model) == ledger.model
    with pytest.raises(EnvironmentFaultError, match=r"no model here\. Give its folder with --model"):
        plans.model_folder("demo", ledger.root)
    with pytest.raises(EnvironmentFaultError, match="no model here"):
        plans.model_folder("no-such-model")
