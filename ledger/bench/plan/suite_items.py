"""The items of an acceptance suite: one line of JSON each, with the check that knows the right answer."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ledger.analysis.verdicts.facts import NEGATIVE
from ledger.bench.plan.workload import messages_fault
from ledger.errors import Problem

CHECK_KEYS: dict[str, tuple[str, type | tuple[type, ...]]] = {
    "exact": ("expected", str),
    "contains": ("any", list),
    "regex": ("pattern", str),
    "json-schema": ("schema", dict),
    "refusal": ("forbidden", list),
    "tool-call": ("name", (str, type(None))),
}
"""Type of check to the key it must have and what that key holds."""


@dataclass(frozen=True, slots=True)
class SuiteItem:
    """One question with a known right answer."""

    suite: str
    id: str
    category: str
    negative_control: bool
    """True where the right behaviour is to refuse or to abstain."""
    messages: tuple[dict[str, Any], ...]
    tools: tuple[dict[str, Any], ...]
    max_tokens: int
    check: dict[str, Any]


def read_suite_items(lines: Iterable[str], *, suite: str, path: str = "") -> tuple[list[SuiteItem], list[Problem]]:
    """Return the items of a suite's JSONL file and what is wrong with it; ids must be unique."""
    items: dict[str, SuiteItem] = {}
    problems = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            raw = json.loads(line)
            fault = item_fault(raw) or (f'uses the id "{raw["id"]}" again' if raw["id"] in items else None)
        except json.JSONDecodeError as error:
            fault = f"is not JSON: {error.msg}"
        if fault:
            remedy = 'Expected {"id", "category", "negative_control", "messages", "max_tokens", "check"}.'
            problems.append(Problem("suite-item", f"an item {fault}.", remedy, path, line=number))
        else:
            items[raw["id"]] = item_of(raw, suite)
    return list(items.values()), problems


def item_of(raw: Mapping[str, Any], suite: str) -> SuiteItem:
    """Return the item in a value that `item_fault` has passed."""
    return SuiteItem(
        suite=suite,
        id=raw["id"],
        category=raw["category"],
        negative_control=bool(raw.get("negative_control", False)),
        messages=tuple(raw["messages"]),
        tools=tuple(raw.get("tools") or ()),
        max_tokens=raw["max_tokens"],
        check=dict(raw["check"]),
    )


def item_fault(raw: object) -> str | None:
    """Return what keeps a value from being a suite item, or None."""
    if not isinstance(raw, Mapping):
        return "is not an object"
    for key in ("id", "category"):
        if not isinstance(raw.get(key), str) or not raw[key]:
            return f"has no {key}"
    if raw["category"] == NEGATIVE:
        return f'has the category "{NEGATIVE}", which stands for all items that ask for a refusal'
    if not isinstance(raw.get("max_tokens"), int) or raw["max_tokens"] < 1:
        return f"asks for {raw.get('max_tokens')!r} tokens"
    return messages_fault(raw.get("messages")) or check_fault(raw.get("check"))


def check_fault(check: object) -> str | None:
    """Return what keeps a value from being a check, or None; patterns and schemas must themselves be valid."""
    if not isinstance(check, Mapping) or check.get("type") not in CHECK_KEYS:
        got = check.get("type") if isinstance(check, Mapping) else check
        return f"has the check {got!r}, known are {', '.join(CHECK_KEYS)}"
    key, kind = CHECK_KEYS[check["type"]]
    if key not in check or not isinstance(check[key], kind):
        return f'has a check "{check["type"]}" without a valid "{key}"'
    if check["type"] == "regex":
        try:
            re.compile(check["pattern"])
        except re.error as error:
            return f"has a pattern that is no regular expression: {error}"
    return schema_fault(check["schema"]) if check["type"] == "json-schema" else None


def schema_fault(schema: Mapping[str, Any]) -> str | None:
    """Return why a JSON Schema is none, or None."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return f"has a schema that is none: {error.message}"
    return None
