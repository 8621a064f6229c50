"""What a plan fixed, in the words that a measured sentence may repeat."""

import pytest

from ledger.analysis.verdicts.plan_words import arm_words, planned_words
from ledger.model.records.protocol import Arm, Protocol
from tests.record_fixtures import make


@pytest.mark.parametrize(
    ("arm", "words"),
    [
        (Arm(id="base"), "no speculation"),
        (Arm(id="again", repeats_of="base"), "a repeat of the baseline"),
        (Arm(id="n", method="ngram", num_speculative_tokens=4), "n-gram speculation of 4 tokens"),
        (Arm(id="d", method="draft_model", draft="self", num_speculative_tokens=3), "a draft of 3 tokens by the model itself"),
    ],
)
def test_an_arm_in_words(arm: Arm, words: str) -> None:
    assert arm_words(arm) == words


def test_a_plan_has_its_arms_its_questions_and_its_faults() -> None:
    rule = {"id": "q", "question": "Is it faster?", "metric": "run:@this#base/c1/tpot.p50", "bound": "at-most", "value": "1"}
    plan = make(
        Protocol,
        "plan",
        rules=[{**rule, "direction": "lower-is-better"}],
        drills=[{"id": "gone", "kind": "disconnect", "requests": 2}],
    )
    words = list(planned_words(plan))
    assert "Is it faster?" in words
    assert "half of its clients had left in mid-stream" in words
    assert {"no speculation", "n-gram speculation of 4 tokens"} <= set(words)
