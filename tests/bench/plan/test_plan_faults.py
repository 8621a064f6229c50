"""What does not fit together in a plan: an arm that repeats another must be set alike and stand behind it."""

from typing import Any

import pytest

from ledger.bench.plan.plan_faults import differing_settings, plan_problems
from tests.bench.conftest import protocol_of

NGRAM: dict[str, Any] = {"id": "ngram", "method": "ngram", "num_speculative_tokens": 4}


def test_a_repeated_arm_set_alike_is_no_fault() -> None:
    arms = [{"id": "base"}, {"id": "again", "repeats_of": "base"}, NGRAM, {**NGRAM, "id": "ngram-again", "repeats_of": "ngram"}]
    assert plan_problems(protocol_of(arms=arms)) == []


@pytest.mark.parametrize(
    ("change", "setting"),
    [
        ({"num_speculative_tokens": 3}, "num_speculative_tokens"),
        ({"prompt_lookup_max": 8}, "prompt_lookup_max"),
        ({"options": {"a": 1}}, "options"),
    ],
)
def test_a_copy_that_is_set_otherwise_names_the_first_setting(change: dict[str, Any], setting: str) -> None:
    plan = protocol_of(arms=[{"id": "base"}, NGRAM, {**NGRAM, "id": "again", "repeats_of": "ngram", **change}])
    (problem,) = plan_problems(plan)
    assert problem.message == f"arm again: repeats ngram with another {setting}."
    assert problem.field == ("arms", 2, "repeats_of")
    assert differing_settings(plan.arms[2], plan.arms[1]) == [setting]


def test_faults_of_single_loads_are_left_to_the_preflight() -> None:
    assert plan_problems(protocol_of(loads=[{"id": "a", "requests": 1}])) == []
    twice = protocol_of(loads=[{"id": "a", "concurrency": 1, "requests": 1}] * 2)
    assert [problem.field for problem in plan_problems(twice)] == [("loads",)]
