"""Greedy match: the same prompt, repeat by repeat; the first place where two outputs part."""

from functools import partial

import numpy as np
import pytest

from ledger.analysis.cells.measures import match_measures
from ledger.analysis.cells.paired_ratios import own_match
from ledger.analysis.measures import output_match as matching
from ledger.analysis.measures.output_match import match, match_with_itself
from ledger.analysis.statistics.trace_columns import row_blocks
from ledger.model.trace import RequestTrace
from tests.analysis.recorded import cell_of, failed, latencies_of, request

Tokens = tuple[int, ...] | None


def answers(arm: str, tokens: dict[str, Tokens], repeat: int = 1) -> list[RequestTrace]:
    """Return one request for each prompt, which answered with these token ids."""
    return [request(p, arm=arm, repeat=repeat, index=i, output_token_ids=t, chunks_s=(i + 0.5,)) for i, (p, t) in enumerate(tokens.items())]


def compared(requests: list[RequestTrace]) -> tuple[list[bool], list[int]]:
    """Return whether each pair of arms `ngram` and `base` is the same, and where the others part."""
    traces = latencies_of(requests).traces
    found = match(traces, traces.rows("ngram"), traces.rows("base"))
    return found.is_same.tolist(), found.first_differences.tolist()


def test_the_first_difference_counts_from_zero() -> None:
    base = answers("base", {"a": (1, 2, 3), "b": (1, 2, 3), "c": (1, 2, 3), "d": (1, 2)})
    arm = answers("ngram", {"a": (1, 2, 3), "b": (1, 9, 3), "c": (1, 2), "d": (1, 2, 3)})
    assert compared(base + arm) == ([True, False, False, False], [1, 2, 2])


def test_hashes_tell_the_same_from_the_different_but_not_where() -> None:
    requests = [
        request(p, arm=arm, output_sha256=h)
        for arm, p, h in [("base", "a", "x"), ("base", "b", "y"), ("ngram", "a", "x"), ("ngram", "b", "z")]
    ]
    assert compared(requests) == ([True, False], [])
    found = match_measures(match(*_sides(requests)), is_greedy=True, seed=1)
    assert (found["match.rate"].value, found["match.first-difference"].reason) == (0.5, "not recorded")


def _sides(requests: list[RequestTrace]) -> tuple:  # type: ignore[type-arg]  # traces and two columns of rows
    traces = latencies_of(requests).traces
    return traces, traces.rows("ngram"), traces.rows("base")


def test_a_prompt_sent_twice_is_paired_by_its_turn_and_failures_are_left_out() -> None:
    base = [
        request("a", index=0, output_token_ids=(1,)),
        request("a", index=5, output_token_ids=(2,)),
        request("b", index=6, output_token_ids=(3,)),
    ]
    arm = [
        request("a", arm="ngram", index=5, output_token_ids=(2,)),
        request("a", arm="ngram", index=0, output_token_ids=(1,)),
        failed("b", arm="ngram"),
    ]
    assert compared(base + arm) == ([True, True], [])


def test_the_baseline_is_matched_with_its_own_repeats() -> None:
    requests = answers("base", {"a": (1, 2), "b": (3, 4)}, repeat=1) + answers("base", {"a": (1, 2), "b": (3, 5)}, repeat=2)
    traces = latencies_of(requests).traces
    found = match_with_itself(traces, traces.rows("base"))
    assert (found.rate, found.first_differences.tolist()) == (0.5, [1])
    once = own_match(cell_of(answers("base", {"a": (1, 2)})), is_greedy=True, seed=1)
    assert once["match.rate"].reason == "no data (1 repeat)"


def test_without_outputs_or_without_greed_nothing_is_said() -> None:
    absent = match_measures(match(*_sides([request("a"), request("a", arm="ngram")])), is_greedy=True, seed=1)
    assert absent["match.rate"].reason == "not recorded"
    same = answers("base", {"a": (1,)}) + answers("ngram", {"a": (1,)})
    sampled = match_measures(match(*_sides(same)), is_greedy=False, seed=1)
    assert sampled["match.rate"].reason == "undefined (sampled, not greedy)"
    agreed = match_measures(match(*_sides(same)), is_greedy=True, seed=1)
    assert (agreed["match.rate"].value, agreed["match.first-difference"].reason) == (1.0, "undefined (0 differences)")


def test_the_rate_has_an_interval_by_prompt() -> None:
    prompts = [f"p{i}" for i in range(40)]
    base = answers("base", dict.fromkeys(prompts, (1, 2, 3)))
    arm = answers("ngram", {p: (1, 2, 3) if i % 4 else (1, 0, 0) for i, p in enumerate(prompts)})
    measure = match_measures(match(*_sides(base + arm)), is_greedy=True, seed=1)["match.rate"]
    assert measure.value == 0.75
    assert measure.low is not None
    assert measure.high is not None
    assert 0.55 < measure.low < 0.75 < measure.high < 0.95
    assert np.isclose(measure.n, 40)


def test_many_long_outputs_are_compared_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "row_blocks", partial(row_blocks, limit=7))
    told = [tuple(range(i)) for i in range(20)]
    base: dict[str, tuple[int, ...] | None] = {f"p{i}": tokens for i, tokens in enumerate(told)}
    arm: dict[str, tuple[int, ...] | None] = {
        f"p{i}": (*tokens[: i // 2], 99, *tokens[i // 2 + 1 :]) if i % 3 else tokens for i, tokens in enumerate(told)
    }
    same, differences = compared(answers("base", base) + answers("ngram", arm))
    assert sorted(differences) == sorted(i // 2 for i in range(20) if i % 3)
    assert sum(same) == 7
