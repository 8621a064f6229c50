"""Passes become ratios, ratios are held against their bars, and the table says which were missed."""

import pytest

from benchmarks.figures import Figure, table
from benchmarks.passes import Pass, Times, passed
from benchmarks.runner import held, ratios

SLOW = Pass(tokens_per_s=90.0, ttft_s=0.11, tpot_s=0.02, cpu_s_per_token=2e-4)
FAST = Pass(tokens_per_s=100.0, ttft_s=0.1, tpot_s=0.02, cpu_s_per_token=1e-4)


def test_a_pass_counts_tokens_after_the_first_chunk_alone_for_tpot() -> None:
    one = passed([Times(1.0, 1.5, 2.5, 3, 13), Times(1.0, 1.25, 2.25, 1, 21), Times(0.0, 0.75, 1.75, 1, 11)], 3.0, 0.45)
    assert one == Pass(tokens_per_s=15.0, ttft_s=0.5, tpot_s=0.1, cpu_s_per_token=0.01)


def test_ratios_are_of_pairs_with_the_bare_loops_own_beside_them() -> None:
    found = {figure.what: figure for figure in ratios([{"bare": FAST, "recorded": SLOW, "bare again": FAST}] * 3)}
    throughput = found["runner / bare loop: output throughput"]
    assert throughput.found == "0.900 (0.900 to 0.900); the bare loop to itself 1.000 (1.000 to 1.000)"
    assert [figure.met for figure in found.values()] == [False, False, True, None]


@pytest.mark.parametrize(
    ("name", "ratio", "met"),
    [
        ("tokens_per_s", 0.99, True),
        ("tokens_per_s", 0.989, False),
        ("tokens_per_s", 1.5, True),
        ("ttft_s", 1.019, True),
        ("ttft_s", 1.021, False),
        ("tpot_s", 0.979, False),
        ("cpu_s_per_token", 3.0, None),
    ],
)
def test_bars(name: str, ratio: float, *, met: bool | None) -> None:
    assert held(name, ratio)[1] is met


def test_the_table_names_the_command_of_every_figure() -> None:
    found = table(
        {"runner": [Figure("a", "1.000", "at least 0.99", met=True), Figure("b", "2")], "serve": [Figure("c", "3", "2", met=False)]}
    )
    assert [line.split() for line in found.splitlines()] == [
        ["what", "figure", "bar", "met", "command"],
        ["a", "1.000", "at", "least", "0.99", "yes", "python", "-m", "benchmarks", "runner"],
        ["b", "2", "none", "python", "-m", "benchmarks", "runner"],
        ["c", "3", "2", "NO", "python", "-m", "benchmarks", "serve"],
    ]
