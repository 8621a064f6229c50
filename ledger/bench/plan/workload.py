"""The prompts of a run: one line of JSON each, by id."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from ledger.errors import Problem


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt of a workload."""

    id: str
    messages: tuple[dict[str, Any], ...]
    tags: dict[str, Any] = field(default_factory=dict)

    @property
    def sha256(self) -> str:
        """Hash of the messages as canonical JSON."""
        return sha256(json.dumps(self.messages, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


def read_prompts(lines: Iterable[str], *, path: str = "") -> tuple[list[Prompt], list[Problem]]:
    """Return the prompts of a JSONL file and what is wrong with it; ids must be unique."""
    prompts: dict[str, Prompt] = {}
    problems = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        fault = None
        try:
            raw = json.loads(line)
        except json.JSONDecodeError as error:
            fault, raw = f"is not JSON: {error.msg}", {}
        fault = fault or prompt_fault(raw) or (f"uses the id {raw['id']} again" if raw["id"] in prompts else None)
        if fault:
            problems.append(
                Problem("prompt", f"a prompt {fault}.", 'Expected {"id": …, "messages": [{"role": …, "content": …}]}.', path, line=number)
            )
        else:
            prompts[raw["id"]] = Prompt(raw["id"], tuple(raw["messages"]), dict(raw.get("tags", {})))
    return list(prompts.values()), problems


def prompt_fault(raw: object) -> str | None:
    """Return what keeps a value from being a prompt, or None."""
    if not isinstance(raw, Mapping) or not isinstance(raw.get("id"), str) or not raw["id"]:
        return "has no id"
    return messages_fault(raw.get("messages"))


def messages_fault(messages: object) -> str | None:
    """Return what keeps a value from being chat messages, or None."""
    if not isinstance(messages, list) or not messages:
        return "has no messages"
    if not all(isinstance(message, Mapping) and message.get("role") and isinstance(message.get("content"), str) for message in messages):
        return "has a message without role or content"
    return None
