"""The summary of a whole run."""

import tracemalloc
from dataclasses import replace
from decimal import Decimal
from typing import Any, cast

import numpy as np
import pytest

from ledger.analysis.cells.summary import Summary, summarise
from ledger.analysis.statistics.trace_columns import Names, Ragged, Traces
from ledger.analysis.verdicts.verdicts import evaluate
from ledger.model.records.protocol import Load
from ledger.model.records.run import Run
from ledger.model.values.reference import parse_reference
from tests.analysis.recorded import CLOSED, failed, protocol, request, rule, simulated

ARMS = {"base": 1.0, "ngram": 0.7, "base-2": 1.0}
EIGHTY = (CLOSED.model_copy(update={"requests": 80}),)
"""As many as `requests` makes of each cell."""


def requests(repeats: int = 2, prompts: int = 80) -> list:  # type: ignore[type-arg]  # request traces
    """Return a run of three arms."""
    return simulated(np.random.default_rng(5), arms=ARMS, prompts=prompts, repeats=repeats)


def test_every_repeat_and_the_pool_has_a_cell_and_every_arm_a_comparison() -> None:
    found = summarise(protocol(), requests(), seed=1)
    assert [(c.arm, c.repeat) for c in found.cells] == [(arm, repeat) for arm in ARMS for repeat in (1, 2, None)]
    assert [(c.arm, c.base) for c in found.comparisons] == [("ngram", "base"), ("base-2", "base")]
    pooled, first = found.cell("base", "c8"), found.cell("base", "c8", 1)
    assert pooled is not None
    assert first is not None
    assert (pooled.requests["sent"], first.requests["sent"]) == (160, 80)
    assert (pooled.metrics["tpot.p95"].n, pooled.metrics["tpot.count"].value) == (80, 160)


def test_every_metric_can_be_referred_to() -> None:
    found = summarise(protocol(), requests(), seed=1)
    for cell in found.cells:
        for key in cell.metrics:
            parse_reference(f"run:demo#{cell.arm}/{cell.load}/{key}")
    assert {"ttft.p50", "service-ttft.p95", "client-lag.max", "e2e.mean", "itl.p99", "chunk-gap.min", "longest-stall.p50"} <= set(
        found.cells[0].metrics
    )
    assert {"throughput.mean", "requests-per-s.mean", "tpot.p50", "tpot.p95", "match.rate"} <= set(found.comparisons[0].metrics)


def test_goodput_follows_the_protocols_limits() -> None:
    """Every request meets the one, none the other; the ratio is that of the request rates."""
    traces = requests(prompts=8)
    loose, strict = (
        summarise(protocol(goodput_limits_s={"e2e": Decimal(limit)}), traces, seed=1).cells[0].metrics for limit in ("1", "0.001")
    )
    assert loose["goodput.mean"].value == loose["requests-per-s.mean"].value
    assert strict["goodput.mean"].value == 0
    assert "goodput.mean" not in summarise(protocol(), traces, seed=1).cells[0].metrics


def test_requests_of_a_ramp_count_nowhere() -> None:
    """Not in the counts, the durations, the steady window or the saturation: the summary is the same without them."""
    plan = protocol(
        loads=(CLOSED, Load(id="r9", kind="open", rate_per_s=Decimal(9), arrivals="constant", ramp_s=Decimal(20), requests=240))
    )
    measured = requests(prompts=8)
    measured += [replace(one, load="r9", index=one.index + 120 * (one.repeat - 1), repeat=1) for one in requests(prompts=120)]
    ramp = [
        replace(one, phase="ramp", scheduled_s=one.scheduled_s - 50, sent_s=one.sent_s - 50, chunks_s=tuple(t - 50 for t in one.chunks_s))
        for one in measured
    ]
    found = summarise(plan, [*ramp, *measured], seed=1)
    assert found == summarise(plan, measured, seed=1)
    assert found.cell("base", "r9").metrics["saturation.repeats"].value is not None  # type: ignore[union-attr]  # it ran


def test_a_warm_cache_is_a_control_by_its_share_of_hits() -> None:
    """The rule on a warm load's hits passes where they were had, fails where the cache stayed cold, and every arm reports them."""
    warm = Load(id="c1-warm", concurrency=1, cache="warm", requests=8)
    plan = protocol(loads=(warm,), rules=(rule("base/c1-warm/prefix-cache.hit-share", "at-least", "0.5", direction="higher-is-better"),))
    outcomes = {}
    for cached in (96, 0):
        traces = [replace(one, load="c1-warm", prompt_tokens=100, cached_tokens=cached) for one in requests(prompts=8)]
        found = summarise(plan, traces, seed=1)
        assert {cell.metrics["prefix-cache.hit-share"].value for cell in found.cells} == {cached / 100}
        outcomes[cached] = evaluate(plan, found)[0].outcome
    assert outcomes == {96: "pass", 0: "fail"}


def test_a_run_is_judged_alike_from_its_traces_and_from_its_record() -> None:
    plan = protocol(loads=EIGHTY, rules=(rule("ngram~base/c8/tpot.p50"), rule("ngram~base/c8/itl.p95", id="tail")))
    found = summarise(plan, requests(), seed=1)
    verdicts = evaluate(plan, found)
    assert [(v.outcome, v.direction) for v in verdicts] == [("pass", "better"), ("pass", "better")]
    parts: dict[str, Any] = {"cells": found.cells, "comparisons": found.comparisons}
    record = cast("Any", Run).model_construct(**parts)
    assert evaluate(plan, record) == verdicts


def test_the_same_traces_give_the_same_summary_in_any_order_and_form() -> None:
    traces = requests(prompts=12)
    plain = summarise(protocol(), traces, seed=1)
    backwards = summarise(protocol(), Traces.from_requests(traces[::-1]), seed=1)
    for one, other in zip(plain.cells, backwards.cells, strict=True):
        for key, measure in one.metrics.items():
            np.testing.assert_allclose(
                [x or 0 for x in (measure.value, measure.low, measure.high)],
                [x or 0 for x in (other.metrics[key].value, other.metrics[key].low, other.metrics[key].high)],
                rtol=1e-12,
            )
    assert plain == summarise(protocol(), traces, seed=1)


def test_warm_up_and_foreign_arms_are_left_out() -> None:
    extra = [request(phase="warm-up", chunks_s=(99.0,)), request(arm="other", chunks_s=(99.0,)), request(load="c99", chunks_s=(99.0,))]
    assert summarise(protocol(), [*requests(), *extra], seed=1) == summarise(protocol(), requests(), seed=1)


def test_an_arm_that_never_ran_is_left_out() -> None:
    found = summarise(protocol(), [one for one in requests() if one.arm != "ngram"], seed=1)
    assert {c.arm for c in found.cells} == {"base", "base-2"}
    assert [(c.arm, c.base) for c in found.comparisons] == [("base-2", "base")]


def test_a_base_named_by_a_rule_is_compared_with_too() -> None:
    plan = protocol(rules=(rule("base~ngram/c8/tpot.p50", "at-least"),))
    found = summarise(plan, requests(repeats=1, prompts=8), seed=1)
    assert ("base", "ngram") in [(c.arm, c.base) for c in found.comparisons]


def test_warnings_tell_of_lost_requests_and_of_drafts_that_never_helped() -> None:
    traces = [request(steps_drafted=(4, 4), steps_accepted=(0, 0), chunks_s=(0.1, 0.2, 0.3)), failed("p1"), failed("p2", outcome="empty")]
    found = summarise(protocol(), traces, seed=1)
    assert "base at c8: of 3 requests, 1 failed, 1 empty" in found.warnings
    assert "base at c8: 0 of 8 drafted tokens were accepted" in found.warnings


def test_a_run_without_requests_is_empty() -> None:
    found = summarise(protocol(), [], seed=1)
    assert (found.cells, found.comparisons, found.warnings) == ((), (), ())


def columns(requests: int, chunks: int) -> Traces:
    """Return requests of one arm and repeat, one token a chunk, built as columns."""
    chance = np.random.default_rng(requests)
    times = np.cumsum(chance.exponential(0.01, (requests, chunks)), axis=1).ravel()
    silent = Ragged(np.zeros(requests + 1, np.int64), np.zeros(0, np.int64), np.zeros(requests, np.bool_))
    every, none = np.arange(requests), np.zeros(requests, np.int32)
    return Traces(
        arm=Names.of(("base",), none),
        load=Names.of(("c8",), none),
        prompt=Names.of([f"p{i}" for i in range(500)], (every % 500).astype(np.int32)),
        repeat=none + 1,
        measured=none == 0,
        index=every,
        scheduled_s=np.zeros(requests),
        sent_s=np.zeros(requests),
        outcome=none,
        chunk_offsets=every_offset(requests, chunks),
        chunks_s=times,
        chunk_tokens=np.ones(requests * chunks, np.int16),
        prompt_tokens=none,
        cached_tokens=none,
        drafted=silent,
        accepted=silent,
        token_ids=silent,
        output_hash=Names.of((), none - 1),
    )


def every_offset(requests: int, chunks: int) -> np.ndarray:
    """Return the offsets of lists of equal length."""
    return np.arange(requests + 1) * chunks


def peak_bytes(traces: Traces) -> int:
    """Return the most memory that summarising took beyond the traces themselves."""
    tracemalloc.start()
    summarise(protocol(), traces, seed=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_memory_grows_by_a_few_bytes_a_token() -> None:
    """At 100 million tokens of traces (1 GB as columns) that leaves the whole within 2 GiB."""
    small, large = (columns(requests, 100) for requests in (45_000, 90_000))
    grown = (peak_bytes(large) - peak_bytes(small)) / (45_000 * 100)
    assert grown < 8


def test_a_cell_that_fell_short_keeps_its_numbers_and_loses_every_interval() -> None:
    """One request of `ngram` failed in the second repeat: that cell and the pool say so, the first repeat counts."""
    plan = protocol(loads=EIGHTY)
    traces = [
        one if (one.arm, one.repeat, one.index) != ("ngram", 2, 7) else failed("p7", arm="ngram", repeat=2, index=7) for one in requests()
    ]
    found = summarise(plan, traces, seed=1)
    shortfalls = {(cell.arm, cell.repeat): cell.shortfall for cell in found.cells if cell.shortfall}
    assert shortfalls == {("ngram", 2): "79 of 80 completed", ("ngram", None): "159 of 160 completed"}
    pooled = found.cell("ngram", "c8")
    assert pooled is not None
    assert (pooled.metrics["tpot.p50"].low, pooled.metrics["tpot.p50"].interval_reason) == (None, "159 of 160 completed")
    assert pooled.metrics["tpot.p50"].value == pytest.approx(0.007, rel=0.1)
    ratios = {one.arm: one for one in found.comparisons}
    assert ratios["ngram"].metrics["tpot.p50"].interval_reason == "ngram: 159 of 160 completed"
    assert (ratios["base-2"].shortfall, ratios["base-2"].metrics["tpot.p50"].low is None) == (None, False)


def test_requests_that_were_never_sent_are_missing_from_the_plan() -> None:
    found = summarise(protocol(loads=EIGHTY), [one for one in requests() if one.index < 70], seed=1)
    assert {cell.shortfall for cell in found.cells} == {"70 of 80 completed", "140 of 160 completed"}


def test_a_share_of_failures_may_be_allowed_beforehand() -> None:
    traces = [one if one.index else failed("p0", arm=one.arm, repeat=one.repeat) for one in requests()]
    allowed = summarise(protocol(loads=EIGHTY, allowed_failure_share=Decimal("0.02")), traces, seed=1)
    assert {cell.shortfall for cell in allowed.cells} == {None}


def test_one_repeat_gives_no_interval_on_a_latency_and_keeps_that_of_counts() -> None:
    plan = protocol(loads=EIGHTY, repeats=1)
    traces = [replace(one, steps_drafted=(2, 2), steps_accepted=(one.index % 3, 0)) for one in requests(repeats=1)]
    found = summarise(plan, traces, seed=1)
    reason = "withheld (1 repeat: what differs between engine lives is not known)"
    for measures in (found.cells[0].metrics, found.comparisons[0].metrics):
        assert (measures["tpot.p50"].low, measures["tpot.p50"].interval_reason) == (None, reason)
        assert measures["throughput.mean"].low is None
    assert found.cells[0].metrics["acceptance.rate"].low is not None


def test_lives_that_differ_widen_every_interval() -> None:
    """The same requests, with the second life of each arm a tenth slower: the ratio stays and its interval grows."""
    plan = protocol(loads=EIGHTY)
    alike = summarise(plan, requests(), seed=1)
    slower = [
        replace(one, chunks_s=tuple(one.scheduled_s + (t - one.scheduled_s) * 1.1 for t in one.chunks_s)) if one.repeat == 2 else one
        for one in requests()
    ]
    apart = summarise(plan, slower, seed=1)

    def width(found: Summary) -> float:
        measure = found.comparisons[0].metrics["tpot.p50"]
        assert measure.low is not None
        assert measure.high is not None
        return measure.high / measure.low

    assert width(apart) > 1.2 * width(alike)
    assert apart.comparisons[0].metrics["tpot.p50"].value == pytest.approx(alike.comparisons[0].metrics["tpot.p50"].value, rel=0.03)


def test_requests_that_begin_together_are_called_lock_step() -> None:
    together = [replace(one, scheduled_s=float(one.index // 8), sent_s=float(one.index // 8)) for one in requests(prompts=80)]
    found = summarise(protocol(loads=EIGHTY), together, seed=1)
    assert all(cell.is_lock_stepped for cell in found.cells)
    assert any("base at c8: requests began together (burst index 0.9" in text for text in found.warnings), found.warnings
    assert not any(cell.is_lock_stepped for cell in summarise(protocol(loads=EIGHTY), requests(), seed=1).cells)


def test_answers_of_another_length_are_flagged() -> None:
    longer = [replace(one, chunk_tokens=(1, 1, 1, 2)) if one.arm == "ngram" else one for one in requests()]
    found = {one.arm: one for one in summarise(protocol(loads=EIGHTY), longer, seed=1).comparisons}
    assert found["ngram"].metrics["output-length.mean"].value == pytest.approx(5 / 4)
    assert (found["ngram"].has_other_lengths, found["base-2"].has_other_lengths) == (True, False)
