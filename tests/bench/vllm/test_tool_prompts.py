"""Tools reach the model in words where its chat template does not know them."""

from typing import Any

from ledger.bench.vllm.tool_prompts import template_knows_tools, tool_name, with_tools

WEATHER: dict[str, Any] = {"type": "function", "function": {"name": "weather", "parameters": {}}}
CLOCK: dict[str, Any] = {"name": "clock"}
QUESTION = {"role": "user", "content": "Is it raining?"}


def test_a_template_that_names_tools_renders_them() -> None:
    assert template_knows_tools("{% if tools %}{{ tools }}{% endif %}")
    assert not template_knows_tools("{{ messages }}")


def test_a_tools_name_stands_in_either_form() -> None:
    assert (tool_name(WEATHER), tool_name(CLOCK), tool_name({})) == ("weather", "clock", "")


def test_the_tools_go_behind_the_system_message_or_into_one_of_their_own() -> None:
    behind = with_tools([{"role": "system", "content": "Be brief."}, QUESTION], [CLOCK])
    assert behind[0]["content"].startswith('Be brief.\n\nYou can call these tools:\n{"name": "clock"}\n')
    assert behind[1:] == [QUESTION]
    alone = with_tools([QUESTION], [WEATHER, CLOCK])
    assert [message["role"] for message in alone] == ["system", "user"]
    assert '"weather"' in alone[0]["content"]
    assert '{"name": "…", "arguments": {…}}' in alone[0]["content"]


def test_messages_that_name_every_tool_stay_as_they_are() -> None:
    messages = [{"role": "system", "content": "Call clock or weather."}, QUESTION]
    assert with_tools(messages, [WEATHER, CLOCK]) == messages
    assert with_tools(messages, []) == messages
    assert with_tools(messages, [{"name": "calendar"}]) != messages
