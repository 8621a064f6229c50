"""Small protocols, prompts and runs on the fake engine."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ledger.bench.journal.result import RunResult
from ledger.bench.plan.suite_items import SuiteItem, item_of
from ledger.bench.plan.workload import Prompt
from ledger.bench.run.run_request import RunRequest
from ledger.bench.run.runner import run_protocol
from ledger.model.records.protocol import Protocol
from ledger.model.trace import RequestTrace
from tests.bench.fake_engine import FakeBackend
from tests.bench.virtual_time import VirtualClock

START_TOGETHER = {"start": "together"}
"""What a load of a test does that does not say how it starts, so that its instants are those of its requests."""


def protocol_of(**fields: Any) -> Protocol:
    """A valid protocol, but for what the test names; no engine life is discarded, and closed loops start together."""
    base: dict[str, Any] = {
        "id": "plan",
        "question": "Does it help?",
        "model": {"name": "demo", "source": "demo 1.0", "licence": "Apache-2.0"},
        "engine": {"max_model_len": 256},
        "arms": [{"id": "base"}, {"id": "ngram", "method": "ngram", "num_speculative_tokens": 4}],
        "loads": [{"id": "c2", "concurrency": 2, "requests": 6}],
        "sampling": {"temperature": "0", "max_tokens": 8},
        "workload": "prompts",
        "repeats": 1,
        "seed": 7,
        "warm_up_requests": 0,
        "telemetry": {"prompts": "hash", "outputs": "full", "allowed_by": "Test Works"},
        "no_discarded_life": "a test",
    }
    raw = base | fields
    raw["loads"] = [START_TOGETHER | load if load.get("kind") != "open" else load for load in raw["loads"]]
    return Protocol.model_validate(raw)


def prompts_of(count: int) -> list[Prompt]:
    """Prompts `p0`, `p1` and so on, each one word longer than the one before."""
    return [Prompt(f"p{number}", ({"role": "user", "content": " ".join(["word"] * (number + 1))},)) for number in range(count)]


def suite_item(item_id: str = "one", **fields: Any) -> SuiteItem:
    """A valid item of the suite `suite`, but for what the test names."""
    base: dict[str, Any] = {
        "id": item_id,
        "category": "answer",
        "messages": [{"role": "user", "content": "Which?"}],
        "max_tokens": 8,
        "check": {"type": "exact", "expected": "www"},
    }
    return item_of(base | fields, "suite")


def resume_request(out_dir: Path, *, backend: FakeBackend | None = None, prompts: int = 4, **fields: Any) -> RunRequest:
    """A request to finish the run in a folder on a fake engine; the plan is the one in its journal."""
    base: dict[str, Any] = {"protocol": protocol_of(), "prompts": prompts_of(prompts), "model_path": out_dir.parent}
    return RunRequest(**base | {"out_dir": out_dir, "backend_factory": lambda *_: backend or FakeBackend()} | fields)


Run = Callable[..., RunResult]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a protocol on a fake engine in virtual time."""

    def run_it(backend: FakeBackend | None = None, *, folder: str = "run", prompts: int = 4, **options: Any) -> RunResult:
        items = options.pop("suite_items", [])
        clock = options.pop("clock", None) or VirtualClock()
        named = {name: options.pop(name) for name in ("progress", "telemetry", "planned") if name in options}
        request = RunRequest(
            protocol=options.pop("protocol", None) or protocol_of(**options),
            prompts=prompts_of(prompts),
            suite_items=items,
            model_path=tmp_path,
            out_dir=tmp_path / folder,
            clock=clock,
            backend_factory=lambda *_: backend or FakeBackend(),
            **named,
        )
        return run_protocol(request)

    return run_it


def trace_of(**fields: Any) -> RequestTrace:
    """A completed request, but for what the test names."""
    base: dict[str, Any] = {
        "arm": "base",
        "load": "c2",
        "repeat": 1,
        "phase": "measured",
        "prompt_id": "p0",
        "index": 0,
        "scheduled_s": 0.0,
        "sent_s": 0.0,
        "chunks_s": (0.1, 0.2),
        "chunk_tokens": (1, 2),
        "outcome": "completed",
        "finish_reason": "length",
        "error": None,
        "prompt_tokens": 3,
        "cached_tokens": 0,
        "steps_drafted": None,
        "steps_accepted": None,
        "output_sha256": "0" * 64,
        "output_text": "abc",
        "output_token_ids": (1, 2, 3),
    }
    return RequestTrace(**base | fields)
