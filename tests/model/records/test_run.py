"""A run's record: words of its environment, and how its parts are found again."""

import json
from pathlib import Path

import pytest

from ledger.model.records.run import Cell, EnvironmentFact, Measure, environment_words, gpu_key

RUNS = sorted((Path(__file__).resolve().parents[3] / "records" / "runs").glob("*.json"))


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("gpu_driver", "Driver"),
        ("gpu_count", "GPUs"),
        (gpu_key(3), "GPU 3"),
        ("cpu_mhz", "CPU clock, MHz"),
        ("VLLM_CPU_KVCACHE_SPACE", "Space for the KV cache (VLLM_CPU_KVCACHE_SPACE), GiB"),
        ("of_another_bench", "Of another bench"),
    ],
)
def test_a_fact_of_the_environment_in_words(key: str, words: str) -> None:
    assert environment_words(key) == words


def test_no_two_facts_share_their_words() -> None:
    words = [fact.words for fact in EnvironmentFact]
    assert len(set(words)) == len(words)


def test_every_fact_of_a_run_that_has_landed_is_in_the_table() -> None:
    for path in RUNS:
        [run] = json.loads(path.read_text(encoding="utf-8"))["run"]
        assert set(run["environment"]) <= set(map(str, EnvironmentFact)), path


@pytest.mark.parametrize(("repeats", "is_saturated"), [(None, False), (0.0, False), (2.0, True)])
def test_a_cell_is_saturated_once_a_repeat_was(repeats: float | None, is_saturated: bool) -> None:
    measure = Measure(value=repeats, unit="count", n=9, reason=None if repeats is not None else "not decided")
    cell = Cell(arm="base", load="o2", requests={"sent": 9}, metrics={"saturation.repeats": measure})
    assert cell.is_saturated is is_saturated


def test_a_cell_whose_load_is_closed_is_not_saturated() -> None:
    assert not Cell(arm="base", load="c1", requests={"sent": 9}, metrics={}).is_saturated
