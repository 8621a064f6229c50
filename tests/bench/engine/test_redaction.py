"""The stricter policy holds, and no name of this machine is written."""

import getpass
import socket
from pathlib import Path

import pytest

from ledger.bench.engine.redaction import anonymous, kept_prompt, strictest
from ledger.bench.plan.workload import Prompt, read_prompts
from ledger.model.records.protocol import Telemetry


def policy(prompts: str, outputs: str, who: str) -> Telemetry:
    """A policy."""
    return Telemetry.model_validate({"prompts": prompts, "outputs": outputs, "allowed_by": who})


def test_the_stricter_of_two_policies_holds() -> None:
    assert strictest(policy("full", "full", "plan"), policy("hash", "none", "ledger")) == policy("hash", "none", "ledger")
    assert strictest(policy("full", "none", "plan"), policy("hash", "full", "ledger")) == policy("hash", "none", "plan; ledger")
    assert strictest(policy("full", "full", "plan"), policy("full", "full", "ledger")).allowed_by == "plan"


@pytest.mark.parametrize(("kept", "keys"), [("full", {"id", "sha256", "messages"}), ("hash", {"id", "sha256"}), ("none", {"id"})])
def test_a_prompt_is_kept_as_the_policy_says(kept: str, keys: set[str]) -> None:
    assert set(kept_prompt(Prompt("p", ({"role": "user", "content": "x"},)), policy(kept, "none", "us"))) == keys


def test_names_and_folders_are_cut_from_engine_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "ada.lovelace")
    monkeypatch.setattr(socket, "gethostname", lambda: "engine7.example.org")
    text = "OSError: /home/ada.lovelace/models/tiny/config.json on engine7: not found by ada.lovelace (rate 1/2, https://x.y/z)"
    assert anonymous(text) == "OSError: config.json on …: not found by … (rate 1/2, https://x.y/z)"


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
