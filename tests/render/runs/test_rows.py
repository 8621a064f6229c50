"""A run's facts as rows: names in words, sizes readable, known parts of memory in their order."""

import pytest

from ledger.model.records.run import Measure, SuiteResult
from ledger.render.runs.rows import drill_words, environment_row, memory_parts, part_words, passed_text

BYTES = Measure(value=1.0, unit="bytes", n=1)


@pytest.mark.parametrize(
    ("key", "value", "row"),
    [
        ("hardware", "2 CPU cores", ("Hardware", "2 CPU cores")),
        ("memory_bytes", 8 * 2**30, ("Memory", "8\u00a0GiB")),
        ("memory_bytes", "unknown", ("Memory", "unknown")),
        ("cpu_cores", 2, ("CPU cores", "2")),
        ("some_new_key", True, ("Some new key", "True")),
    ],
)
def test_an_entry_of_an_environment_has_a_name_and_a_value(key: str, value: object, row: tuple[str, str]) -> None:
    assert environment_row(key, value) == row


def test_what_passed_is_told_of_all_that_was_asked() -> None:
    result = SuiteResult(suite="answers", arm="baseline", passed=9, failed=1, malformed=1, by_category={})
    assert passed_text(result) == "9 of 10"


def test_known_parts_of_memory_come_first_and_in_their_order() -> None:
    arms = [{"scratch": BYTES, "resident-peak": BYTES}, {"weights": BYTES, "scratch": BYTES}]
    assert memory_parts(arms) == ["weights", "resident-peak", "scratch"]
    assert memory_parts([]) == []


@pytest.mark.parametrize(("part", "words"), [("kv-cache-tokens", "KV capacity"), ("scratch-space", "Scratch space")])
def test_parts_of_memory_have_names(part: str, words: str) -> None:
    assert part_words(part) == words


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("lost.count", "Requests lost"),
        ("ttft.max", "TTFT, largest"),
        ("tpot.p50", "TPOT, median"),
        ("retries.count", "Retries, count"),
    ],
)
def test_figures_of_a_drill_have_names(metric: str, words: str) -> None:
    assert drill_words(metric) == words
