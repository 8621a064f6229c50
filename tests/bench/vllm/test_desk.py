"""A plan is checked where it is written: slips that only the machine would have found otherwise."""

from pathlib import Path
from typing import Any

import pytest

from ledger.bench.vllm import desk
from ledger.bench.vllm.desk import desk_problems
from tests.bench.conftest import prompts_of, protocol_of


def faults(*, model: Path | None = None, **fields: Any) -> list[str]:
    """What is wrong with a plan, by its messages."""
    engine = {"device": "cpu", "max_model_len": 256} | fields.pop("engine", {})
    return [problem.message for problem in desk_problems(protocol_of(engine=engine, **fields), prompts_of(4), [], model_path=model)]


def test_without_vllm_the_plan_alone_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "find_spec", lambda _: None)
    assert faults(engine={"max_num_seq": 8}) == []
    assert faults(loads=[{"id": "c8", "concurrency": 8, "requests": 4}]) == ["load c8: keeps 8 in flight and sends 4."]
    assert "no items for" in faults(suites=["suite"])[0]


def test_slips_in_the_engine_table_and_the_options_are_named_with_what_was_meant() -> None:
    pytest.importorskip("vllm")
    plan = protocol_of(engine={"device": "cpu", "max_num_seq": 8, "dtype": "bfloat17"})
    problems = desk_problems(plan, prompts_of(4), [], model_path=None)
    assert [problem.field for problem in problems] == [("engine", "max_num_seq"), ("engine", "dtype")]
    assert problems[0].remedy == 'Did you mean "max_num_seqs"?'
    arms = [
        {"id": "base"},
        {"id": "draft", "method": "draft_model", "num_speculative_tokens": 3, "draft": "self", "options": {"quantisation": "fp8"}},
    ]
    (problem,) = desk_problems(protocol_of(engine={"device": "cpu"}, arms=arms), prompts_of(4), [], model_path=None)
    assert problem.remedy == 'Did you mean "quantization"?'


def test_an_eagle_head_that_is_the_target_is_refused() -> None:
    arms = [{"id": "base"}, {"id": "eagle", "method": "eagle3", "num_speculative_tokens": 3, "draft": "self"}]
    assert "names the target as its eagle3 head" in faults(arms=arms)[0]
