"""Evidence that does not agree with itself is named by its row."""

from dataclasses import replace
from typing import Any

import pytest

from ledger.bench.engine.redaction import text_hash
from ledger.bench.journal.audit import answer_faults, trace_faults
from ledger.bench.plan.suite_results import SuiteAnswer
from tests.bench.conftest import suite_item, trace_of

SOUND = trace_of(output_sha256=text_hash("abc"), steps_drafted=(4,), steps_accepted=(2,))


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({}, None),
        ({"output_text": None, "output_token_ids": None}, None),
        ({"output_text": "abd"}, "its text does not have its hash"),
        ({"chunk_tokens": (1, 1)}, "3 token ids, and chunks of 2 tokens"),
        ({"chunks_s": (0.1,)}, "1 chunk instants and 2 chunk sizes"),
        ({"chunks_s": (0.2, 0.1)}, "its chunks do not come one after another after its send"),
        ({"sent_s": 0.15}, "its chunks do not come one after another after its send"),
        ({"steps_accepted": None}, "drafted and accepted tokens of different steps"),
        ({"steps_accepted": (2, 0)}, "drafted and accepted tokens of different steps"),
    ],
)
def test_a_request_agrees_with_itself(fields: dict[str, Any], fault: str | None) -> None:
    found = list(trace_faults([SOUND, replace(SOUND, **fields)]))
    assert found == ([f"row 1 (measured request 0 of base at c2, repeat 1): {fault}"] if fault else [])


def answer(**fields: Any) -> SuiteAnswer:
    """A right answer to the item `one`, but for what the test names."""
    base: dict[str, Any] = {"arm": "base", "suite": "suite", "item": "one", "category": "answer", "negative_control": False}
    graded = {"grade": "passed", "because": "as expected", "finish_reason": "stop"}
    return SuiteAnswer(**base | graded | {"output_sha256": text_hash("www"), "output_text": "www"} | fields)


OTHER = {"output_text": "x", "output_sha256": text_hash("x")}
UNENDED = {"finish_reason": None, "because": "no end", "output_text": "ww", "output_sha256": text_hash("ww")}


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({}, None),
        ({"output_text": None, "grade": "wrong", "because": "not as expected"}, None),  # nothing kept that could tell
        ({"item": "two"}, "no such item in the suite"),
        ({"category": "code"}, "its category or control is not its item's"),
        ({"output_text": "ww"}, "its text does not have its hash"),
        (OTHER, 'graded passed (as expected), its text gives wrong (not exactly "www")'),
        (UNENDED, "graded passed without an end"),
        (UNENDED | {"grade": "malformed"}, None),
        ({"output_text": "", "output_sha256": None, "grade": "malformed", "because": "EngineDeadError"}, None),
    ],
)
def test_an_answer_agrees_with_its_item_and_its_grade(fields: dict[str, Any], fault: str | None) -> None:
    found = [one.partition(": ")[2] for one in answer_faults([answer(**fields)], {("suite", "one"): suite_item("one")})]
    assert found[:1] == ([fault] if fault else [])
