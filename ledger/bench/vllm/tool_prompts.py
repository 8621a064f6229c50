"""Tools in a prompt: through the model's chat template where it knows them, else in words."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

INSTRUCTION = (
    'You can call these tools:\n{tools}\nTo call one, answer with nothing but JSON of the form {{"name": "…", "arguments": {{…}}}}.'
)


def template_knows_tools(template: str) -> bool:
    """Whether a chat template renders the tools that it is given."""
    return "tools" in template


def with_tools(messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the messages with the tools in words in the system message; unchanged where they name every tool already."""
    plain = [dict(message) for message in messages]
    written = " ".join(str(message.get("content", "")) for message in plain)
    if all(tool_name(tool) in written for tool in tools):
        return plain
    instruction = INSTRUCTION.format(tools="\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools))
    if plain[0]["role"] == "system":
        return [{**plain[0], "content": f"{plain[0]['content']}\n\n{instruction}"}, *plain[1:]]
    return [{"role": "system", "content": instruction}, *plain]


def tool_name(tool: Mapping[str, Any]) -> str:
    """Return the name of a tool, in either of the two forms in use."""
    return str(tool.get("function", tool).get("name", ""))
