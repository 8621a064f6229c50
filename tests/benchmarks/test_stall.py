"""Requests that end together are recorded one a turn, and the benchmark would see it if they were not."""

from pathlib import Path

from benchmarks.stall import stalls_s, trace


def test_one_request_a_turn_stalls_the_loop_for_less_than_all_of_them(tmp_path: Path) -> None:
    by_turns_s, at_once_s = stalls_s([trace(index) for index in range(64)], tmp_path)
    assert by_turns_s < at_once_s / 4
    journals = [path.read_bytes().count(b"\n") for path in sorted(tmp_path.glob("*/journal.jsonl"))]
    assert journals == [64, 64]
