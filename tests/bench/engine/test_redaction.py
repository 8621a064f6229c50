"""The stricter policy holds, and no name of this machine is written."""

import getpass
import socket

import pytest

from ledger.bench.engine.redaction import anonymous, kept_prompt, strictest
from ledger.bench.plan.workload import Prompt
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
