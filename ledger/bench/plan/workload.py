"""The prompts of a run: one line of JSON each, by id."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from ledger.errors import DataRefusedError, Problem

KEYS = ("id", "messages", "tags", "max_tokens", "tools")
"""What a line of a workload may say of a prompt."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt of a workload."""

    id: str
    messages: tuple[dict[str, Any], ...]
    tags: dict[str, Any] = field(default_factory=dict)
    max_tokens: int | None = None
    """The most that this prompt's answer may have; None takes what the protocol says."""
    tools: tuple[dict[str, Any], ...] = ()
    """Offered to the model with the prompt."""

    @property
    def sha256(self) -> str:
        """Hash of the messages as canonical JSON, with limit and tools where the prompt has its own."""
        own = {name: value for name, value in (("max_tokens", self.max_tokens), ("tools", self.tools)) if value}
        content = {"messages": self.messages, **own} if own else self.messages
        return sha256(json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


def text_lines(content: bytes, *, name: str) -> list[str]:
    """Return the lines of a file of prompts or items; only a line feed ends one, as texts may hold other separators.

    Raises:
        DataRefusedError: a line is not UTF-8.
    """
    lines = []
    for number, line in enumerate(content.split(b"\n"), 1):
        try:
            lines.append(line.decode("utf-8"))
        except UnicodeDecodeError as error:
            wrong = f"byte {error.start + 1} of the line is 0x{line[error.start]:02x}"
            raise DataRefusedError(
                f"{name}:{number}: is not UTF-8 ({wrong}). Save the file as UTF-8, and give its record the new hash."
            ) from error
    return lines


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
            prompts[raw["id"]] = prompt_of(raw)
    return list(prompts.values()), problems


def prompt_of(raw: Mapping[str, Any]) -> Prompt:
    """Return the prompt in a value that `prompt_fault` has passed."""
    tags, tools = raw.get("tags") or {}, raw.get("tools") or ()
    return Prompt(raw["id"], tuple(raw["messages"]), dict(tags), raw.get("max_tokens"), tuple(tools))


def prompt_fault(raw: object) -> str | None:
    """Return what keeps a value from being a prompt, or None."""
    if not isinstance(raw, Mapping) or not isinstance(raw.get("id"), str) or not raw["id"]:
        return "has no id"
    if unknown := [str(key) for key in raw if key not in KEYS]:
        return f'has the unknown key "{unknown[0]}"'
    limit = raw.get("max_tokens")
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        return f"asks for {limit!r} tokens"
    return messages_fault(raw.get("messages")) or tools_fault(raw.get("tools")) or tags_fault(raw.get("tags"))


def tools_fault(tools: object) -> str | None:
    """Return what keeps a value from being a list of tools, or None; leaving it out is fine."""
    if tools is None or (isinstance(tools, list) and all(isinstance(tool, Mapping) for tool in tools)):
        return None
    return "has tools that are no list of objects"


def tags_fault(tags: object) -> str | None:
    """Return what keeps a value from being a prompt's tags, or None; leaving them out is fine."""
    return None if tags is None or isinstance(tags, Mapping) else "has tags that are no object"


def messages_fault(messages: object) -> str | None:
    """Return what keeps a value from being chat messages, or None."""
    if not isinstance(messages, list) or not messages:
        return "has no messages"
    return None if all(map(is_message, messages)) else "has a message without role or content"


def is_message(message: object) -> bool:
    """Whether a value is a chat message: a role and text; a message that calls tools may have none."""
    if not isinstance(message, Mapping) or not message.get("role"):
        return False
    content = message.get("content")
    return isinstance(content, str) or (content is None and isinstance(message.get("tool_calls"), list))
