"""Drafts are found by their id: beside the target, or where models are kept."""

from pathlib import Path
from typing import Any

import pytest

from ledger.bench.models.drafts import draft_folder, draft_folders, draft_path
from ledger.model.records.protocol import Arm
from tests.bench.conftest import protocol_of


def arm_of(**fields: Any) -> Arm:
    """An arm that drafts with `head`, but for what the test names."""
    return Arm.model_validate({"id": "eagle", "method": "eagle3", "num_speculative_tokens": 3, "draft": "head", **fields})


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A target, with a cache of models elsewhere."""
    monkeypatch.setenv("LEDGER_CACHE", str(tmp_path / "cache"))
    (tmp_path / "models" / "target").mkdir(parents=True)
    return tmp_path / "models" / "target"


def test_a_draft_lies_beside_the_target_or_else_in_the_cache(target: Path, tmp_path: Path) -> None:
    arm = arm_of()
    assert draft_path(arm, target, 7) == str(tmp_path / "cache" / "models" / "head")
    assert draft_folder(arm, target, 7) is None
    (target.parent / "head").mkdir()
    assert draft_folder(arm, target, 7) == target.parent / "head"
    plan = protocol_of(arms=[{"id": "base"}, arm.model_dump(exclude_none=True)])
    assert draft_folders(plan, target) == {"head": target.parent / "head"}


def test_a_target_or_a_class_that_drafts_is_no_folder_of_a_drafts(target: Path) -> None:
    own = {"id": "self", "method": "draft_model", "draft": "self"}
    assert draft_path(arm_of(**own), target, 7) == str(target)
    drafting = {"id": "own", "method": "custom_class", "draft": "ours.Proposer"}
    assert draft_path(arm_of(**drafting), target, 7) == "ours.Proposer"
    plan = protocol_of(arms=[{"id": "base"}, own | {"num_speculative_tokens": 1}, drafting | {"num_speculative_tokens": 1}])
    assert draft_folders(plan, target) == {}
    assert draft_path(arm_of(method="ngram", draft=None), target, 7) is None
