"""A plan holds its models to their hashes: another folder is refused before anything runs."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from ledger.bench.machine.model_files import model_hashes
from ledger.bench.models.pins import draft_hashes, pin_problems, pins_as_toml
from ledger.model.records.protocol import Protocol
from tests.bench.conftest import protocol_of

MODEL = {"name": "demo", "source": "demo 1.0", "licence": "Apache-2.0"}
EAGLE = {"id": "eagle", "method": "eagle3", "num_speculative_tokens": 3, "draft": "head"}


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """A target and, beside it, the draft that the plan calls `head`."""
    for name in ("target", "head"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "model.safetensors").write_bytes(name.encode())
        (folder / "config.json").write_text("{}")
    (tmp_path / "target" / "tokenizer_config.json").write_text(json.dumps({"chat_template": "{{ messages }}"}))
    return tmp_path / "target"


def digest(text: str) -> str:
    """The sha256 of a text."""
    return sha256(text.encode()).hexdigest()


def plan_of(*, head: str, **pins: Any) -> Protocol:
    """A plan with an EAGLE head of this hash, and the target pinned as given."""
    draft = {"id": "head", "source": "hub/head", "weights_sha256": head}
    return protocol_of(model=MODEL | pins, arms=[{"id": "base"}, EAGLE], drafts=[draft])


def test_the_models_that_the_plan_was_fixed_on_pass(target: Path) -> None:
    pins = {"weights_sha256": digest("target"), "chat_template_sha256": digest("{{ messages }}")}
    assert pin_problems(plan_of(head=digest("head"), **pins), target) == []


def test_another_model_draft_or_template_is_named_at_its_pin(target: Path) -> None:
    plan = plan_of(head=digest("other"), weights_sha256=digest("target"), chat_template_sha256=digest("{{ other }}"))
    problems = pin_problems(plan, target)
    assert [problem.field for problem in problems] == [("model", "chat_template_sha256"), ("drafts", 0, "weights_sha256")]
    assert f"the plan was fixed on {digest('other')[:12]}…, and head has {digest('head')[:12]}…." in problems[1].message


def test_a_file_that_is_not_there_is_no_match(target: Path) -> None:
    (problem,) = pin_problems(plan_of(head=digest("head"), tokenizer_sha256=digest("x"), weights_sha256=None), target.parent / "head")
    assert "head has no such file" in problem.message


def test_the_hash_of_each_draft_is_recorded_under_its_id(target: Path) -> None:
    assert draft_hashes(plan_of(head=digest("head")), target) == {"draft_head_sha256": digest("head")}


def test_the_pins_of_a_folder_can_be_pasted_into_a_plan(target: Path) -> None:
    lines = pins_as_toml(model_hashes(target))
    assert f'weights_sha256 = "{digest("target")}"' in lines
    assert [line.partition(" ")[0] for line in lines] == ["weights_sha256", "config_sha256", "tokenizer_sha256", "chat_template_sha256"]
