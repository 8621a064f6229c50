"""The lines of a workload's file, and the hash of a prompt."""

from pathlib import Path
from typing import Any

import pytest

from ledger.bench.plan.workload import Prompt, prompt_fault, prompt_of, read_prompts, text_lines
from ledger.errors import DataRefusedError


def test_faulty_prompts_are_reported_at_once_with_their_lines() -> None:
    good = '{"id": "a", "messages": [{"role": "user", "content": "?"}], "tags": {"topic": "order"}}'
    prompts, problems = read_prompts([good, "x", '{"id": "b"}', "", good, "[]"], path="p.jsonl")
    assert [prompt.tags for prompt in prompts] == [{"topic": "order"}]
    assert [problem.line for problem in problems] == [2, 3, 5, 6]


def test_the_hash_of_a_prompt_does_not_depend_on_key_order() -> None:
    first, second = Prompt("a", ({"role": "user", "content": "ü"},)), Prompt("b", ({"content": "ü", "role": "user"},))
    assert first.sha256 == second.sha256


def test_a_workload_file_of_this_project_reads_without_a_problem() -> None:
    path = Path(__file__).resolve().parents[3] / "records" / "workloads" / "customer-service.jsonl"
    prompts, problems = read_prompts(path.read_text(encoding="utf-8").splitlines())
    assert problems == []
    assert len(prompts) >= 96


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({}, None),
        ({"max_tokens": 8, "tools": [{"name": "clock"}], "tags": {"topic": "x"}}, None),
        ({"max_token": 8}, 'has the unknown key "max_token"'),
        ({"max_tokens": 0}, "asks for 0 tokens"),
        ({"max_tokens": True}, "asks for True tokens"),
        ({"tools": "clock"}, "has tools that are no list of objects"),
        ({"tags": ["x"]}, "has tags that are no object"),
        ({"messages": [{"role": "user", "content": None}]}, "has a message without role or content"),
        ({"messages": [{"role": "assistant", "content": None, "tool_calls": [{"name": "clock"}]}]}, None),
    ],
)
def test_a_prompt_says_what_is_known_and_nothing_else(change: dict[str, Any], fault: str | None) -> None:
    assert prompt_fault({"id": "a", "messages": [{"role": "user", "content": "?"}], **change}) == fault


def test_a_prompts_own_limit_and_tools_reach_it_and_its_hash() -> None:
    raw = {"id": "a", "messages": [{"role": "user", "content": "?"}]}
    plain, limited, tooled = (prompt_of(raw | more) for more in ({}, {"max_tokens": 8}, {"tools": [{"name": "clock"}]}))
    assert (plain.max_tokens, limited.max_tokens, tooled.tools) == (None, 8, ({"name": "clock"},))
    assert len({prompt.sha256 for prompt in (plain, limited, tooled)}) == 3


def test_only_a_line_feed_ends_a_line() -> None:
    """JSON may hold a line separator within a text, which other readers take for the end of a line."""
    content = '{"id": "a", "messages": [{"role": "user", "content": "one\u2028two"}]}\n'.encode()
    lines = text_lines(content, name="prompts.jsonl")
    assert len(lines) == 2
    prompts, problems = read_prompts(lines)
    assert ([prompt.messages[0]["content"] for prompt in prompts], problems) == (["one\u2028two"], [])


def test_a_line_in_another_encoding_is_named_with_its_byte() -> None:
    with pytest.raises(DataRefusedError, match=r"prompts\.jsonl:2: is not UTF-8 \(byte 3 of the line is 0xfc\)"):
        text_lines(b"ok\nab\xfcc\n", name="prompts.jsonl")
