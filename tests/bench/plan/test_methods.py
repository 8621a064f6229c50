"""What a method costs beside its draft, and which arms want a matched baseline."""

from typing import Any

import pytest

from ledger.bench.plan.methods import is_served_otherwise, losses, unmatched_arms
from ledger.model.records.protocol import Arm
from tests.bench.conftest import protocol_of


def arm_of(method: str, **fields: Any) -> dict[str, Any]:
    """An arm named after its method."""
    return {"id": method.replace("_", "-"), "method": method, "num_speculative_tokens": 4, **fields}


@pytest.mark.parametrize(
    ("method", "options", "expected"),
    [
        ("ngram", {}, (True, False)),
        ("suffix", {}, (True, True)),
        ("ngram_gpu", {}, (False, False)),
        ("eagle3", {}, (False, False)),
        ("eagle3", {"parallel_drafting": True}, (False, True)),
        ("dspark", {"parallel_drafting": True}, (False, False)),
        ("draft_model", {"disable_padded_drafter_batch": True}, (True, False)),
    ],
)
def test_each_method_loses_what_vllm_takes_from_it(method: str, options: dict[str, Any], expected: tuple[bool, bool]) -> None:
    arm = Arm.model_validate(arm_of(method, options=options))
    assert losses(arm) == expected
    assert is_served_otherwise(arm) is any(expected)


@pytest.mark.parametrize(
    ("engine", "others", "expected"),
    [
        ({}, [], ["ngram", "suffix"]),
        ({}, [{"id": "plain", "matches": "ngram"}], ["suffix"]),
        ({}, [{"id": "plain", "matches": "ngram"}, {"id": "plainer", "matches": "suffix"}], []),
        ({"device": "cpu"}, [], []),
        ({"async_scheduling": False}, [], []),
    ],
)
def test_arms_that_lose_the_same_share_a_matched_baseline(
    engine: dict[str, Any], others: list[dict[str, Any]], expected: list[str]
) -> None:
    plan = protocol_of(arms=[{"id": "base"}, arm_of("ngram"), arm_of("suffix"), arm_of("ngram_gpu"), *others], engine=engine)
    assert [arm.id for arm in unmatched_arms(plan)] == expected
