"""The lines of a workload's file, and the hash of a prompt."""

from pathlib import Path

from ledger.bench.plan.workload import Prompt, read_prompts


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
