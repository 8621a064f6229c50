"""The lines of a suite's file: what is an item, and what is wrong with one that is none."""

import json
from typing import Any

import pytest

from ledger.bench.plan.suite_items import item_fault, read_suite_items

GOOD: dict[str, Any] = {
    "id": "a",
    "category": "answer",
    "messages": [{"role": "user", "content": "?"}],
    "max_tokens": 4,
    "check": {"type": "exact", "expected": "x"},
}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({}, None),
        ({"id": ""}, "has no id"),
        ({"category": None}, "has no category"),
        ({"category": "negative-controls"}, 'has the category "negative-controls", which stands for all items that ask for a refusal'),
        ({"max_tokens": 0}, "asks for 0 tokens"),
        ({"messages": []}, "has no messages"),
        ({"messages": [{"role": "user"}]}, "without role or content"),
        ({"check": {"type": "vibes"}}, "has the check 'vibes'"),
        ({"check": {"type": "exact"}}, 'without a valid "expected"'),
        ({"check": {"type": "regex", "pattern": "("}}, "no regular expression"),
        ({"check": {"type": "json-schema", "schema": {"type": "objekt"}}}, "schema that is none"),
    ],
)
def test_a_faulty_item_says_what_is_wrong(change: dict[str, Any], fault: str | None) -> None:
    found = item_fault(GOOD | change)
    assert found is None if fault is None else fault in str(found)


def test_every_faulty_line_of_a_suite_is_reported_at_once() -> None:
    good = json.dumps(GOOD)
    lines = ['{"id": "b"}', "nonsense", "", good]
    items, problems = read_suite_items([*lines, good], suite="s", path="items.jsonl")
    assert [item.id for item in items] == ["a"]
    assert [problem.line for problem in problems] == [1, 2, 5]
