"""What `vllm bench serve` writes is read as what it means."""

import json
import os
from pathlib import Path

import pytest

from benchmarks.server import Served, environment, flags, most_at_once

RESULT = {
    "date": "20261201-101500",
    "backend": "openai",
    "num_prompts": 3,
    "max_concurrency": 2,
    "duration": 2.0,
    "completed": 3,
    "failed": 0,
    "total_input_tokens": 30,
    "total_output_tokens": 96,
    "request_throughput": 1.5,
    "output_throughput": 48.0,
    "input_lens": [10, 10, 10],
    "output_lens": [32, 32, 32],
    "ttfts": [0.1, 0.2, 0.3],
    "latencies": [0.75, 0.5, 0.25],
    "start_times": [100.0, 100.25, 100.75],
    "errors": ["", "", ""],
    "max_concurrent_requests": 3,
    "mean_ttft_ms": 210.0,
    "median_ttft_ms": 200.0,
    "median_tpot_ms": 25.5,
}


def test_a_result_file_gives_seconds_and_the_load_it_really_had(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text(json.dumps(RESULT))
    found = Served.of(json.loads((tmp_path / "result.json").read_text()))
    assert (found.figures.tokens_per_s, found.figures.ttft_s, found.figures.tpot_s) == (48.0, 0.2, 0.0255)
    assert found.figures.cpu_s_per_token is None
    assert (found.completed, found.prompt_tokens, found.said_in_flight, found.in_flight) == (3, 30, 3, 2)


@pytest.mark.parametrize("field", ["output_throughput", "median_tpot_ms", "start_times"])
def test_a_result_without_a_field_is_not_taken_for_one(field: str) -> None:
    with pytest.raises(KeyError, match=field):
        Served.of({name: value for name, value in RESULT.items() if name != field})


@pytest.mark.parametrize(
    ("starts", "latencies", "most"), [([], [], 0), ([0, 0, 0], [1, 1, 1], 3), ([0, 1, 2], [1, 1, 1], 1), ([0, 1], [2, 1], 2)]
)
def test_requests_at_one_instant_are_counted(starts: list[float], latencies: list[float], most: int) -> None:
    assert most_at_once(starts, latencies) == most


def test_engine_arguments_become_the_servers_flags() -> None:
    arguments = {
        "model": "m",
        "max_model_len": 1024,
        "async_scheduling": False,
        "enforce_eager": True,
        "disable_log_stats": False,
        "dtype": "bfloat16",
    }
    assert flags(arguments) == ["--max-model-len", "1024", "--no-async-scheduling", "--enforce-eager", "--dtype", "bfloat16"]


def test_the_servers_environment_keeps_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    found = environment(tmp_path)
    assert found["PATH"] == os.environ["PATH"]
    assert found["PYTHONPATH"].split(os.pathsep)[-1] == "/elsewhere"
