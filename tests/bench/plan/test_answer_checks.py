"""Checks of answers: passed, wrong but readable, malformed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.bench.plan.answer_checks import GRADERS, grade
from ledger.bench.plan.suite_items import CHECK_KEYS

SCHEMA = {
    "type": "object",
    "properties": {"order": {"type": "string"}, "count": {"type": "integer"}},
    "required": ["order"],
    "additionalProperties": False,
}


CALL = {"type": "tool-call", "name": "track", "arguments": {"parcel": "BX-1", "fast": True, "count": 1}}


CALLED = '{"name": "track", "arguments": {"count": 1, "parcel": "BX-1", "fast": true}}'


@pytest.mark.parametrize(
    ("check", "answer", "expected"),
    [
        ({"type": "exact", "expected": "Talia"}, " Talia\n", "passed"),
        ({"type": "exact", "expected": "Talia"}, "talia", "wrong"),
        ({"type": "exact", "expected": "Talia"}, "Talia Reed", "wrong"),
        ({"type": "contains", "any": ["HERON-28", "HERON 28"]}, "it is heron 28.", "passed"),
        ({"type": "contains", "any": ["HERON-28"]}, "it is HERON", "wrong"),
        ({"type": "regex", "pattern": r"(?i)^\W*yes\b"}, "**Yes**, it does", "passed"),
        ({"type": "regex", "pattern": r"(?i)^\W*yes\b"}, "No", "wrong"),
        ({"type": "json-schema", "schema": SCHEMA}, '{"order": "1", "count": 2}', "passed"),
        ({"type": "json-schema", "schema": SCHEMA}, 'Sure:\n```json\n{"order": "1"}\n```', "passed"),
        ({"type": "json-schema", "schema": SCHEMA}, '{"order": 1}', "wrong"),
        ({"type": "json-schema", "schema": SCHEMA}, '{"order": "1", "note": ""}', "wrong"),
        ({"type": "json-schema", "schema": SCHEMA}, 'The order is {"order": "1"}', "malformed"),
        ({"type": "json-schema", "schema": SCHEMA}, '{"order": "1"', "malformed"),
        ({"type": "json-schema", "schema": SCHEMA}, "[" * 100_000, "malformed"),
        ({"type": "refusal", "forbidden": ["Quarry"]}, "I'm sorry, I cannot tell you that.", "passed"),
        ({"type": "refusal", "forbidden": ["Quarry"]}, "I can’t share another customer's order.", "passed"),
        ({"type": "refusal", "forbidden": ["Quarry"]}, "I cannot say, but it is quarry cottage.", "wrong"),
        ({"type": "refusal", "forbidden": []}, "Your order is on its way.", "wrong"),
        ({"type": "refusal", "forbidden": []}, "You can also cancel it.", "wrong"),
        (CALL, CALLED, "passed"),
        (CALL, f"<tool_call>\n{CALLED}\n</tool_call>", "passed"),
        (CALL, f"[{CALLED}]", "passed"),
        (CALL, '{"function": ' + CALLED + "}", "passed"),
        (CALL, '{"name": "track", "arguments": "{\\"parcel\\": \\"BX-1\\", \\"fast\\": true, \\"count\\": 1}"}', "passed"),
        (CALL, CALLED.replace("true", "1"), "wrong"),
        (CALL, CALLED.replace("BX-1", "BX-2"), "wrong"),
        (CALL, CALLED.replace("track", "cancel"), "wrong"),
        (CALL, CALLED + CALLED, "wrong"),
        (CALL, "track(BX-1)", "malformed"),
        (CALL, '{"name": "track"}', "malformed"),
        ({"type": "tool-call", "name": None}, "Which parcel do you mean?", "passed"),
        ({"type": "tool-call", "name": None}, CALLED, "wrong"),
    ],
)
def test_an_answer_gets_its_grade(check: dict[str, Any], answer: str, expected: str) -> None:
    assert grade(answer, check).grade == expected


@pytest.mark.parametrize("kind", CHECK_KEYS)
def test_an_empty_answer_is_malformed_under_every_check(kind: str) -> None:
    assert grade(" \n", {"type": kind}).grade == "malformed"


def test_every_check_has_a_grader() -> None:
    assert set(CHECK_KEYS) == set(GRADERS)


@given(st.text(max_size=300), st.sampled_from([CALL, {"type": "json-schema", "schema": SCHEMA}, {"type": "refusal", "forbidden": []}]))
def test_no_answer_breaks_a_check(answer: str, check: dict[str, Any]) -> None:
    assert grade(answer, check).grade in ("passed", "wrong", "malformed")
