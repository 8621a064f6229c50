"""Known token times through a whole run: every figure of a cell, worked out by hand, to a tenth of a microsecond.

The closed cell, arm `ngram`, two slots. Requests 0, 2, 4 take 190, 40 and 20 ms for chunks of 1, 4 and 1 tokens; 1, 3, 5
take 300, 60 and 30 ms for chunks of 2, 1 and 3. So one slot is busy with 0, 2, 4, 5 until 1.14 s, the other with 1, 3
until 0.78 s. Arm `base` takes twice as long for everything.
"""

from collections.abc import AsyncGenerator
from dataclasses import fields, replace
from math import exp
from pathlib import Path
from typing import Any

import pytest

from ledger.analysis.cells.summary import Summary, summarise
from ledger.analysis.rules.rubric import cell_metrics, ratio_metrics
from ledger.api.runs.run_record import memory_of
from ledger.bench.engine.interface import Chunk, GenerationRequest, Memory
from ledger.bench.journal.result import RunResult, SessionRecord
from ledger.model.records.protocol import Arm, Protocol
from ledger.model.records.run import Cell, Measure
from ledger.model.values.metrics import MEMORY_WORDS, draft_position
from tests.bench.conftest import Run, protocol_of
from tests.bench.fake_engine import FakeBackend, FakeEngine, Script, Step
from tests.bench.virtual_time import VirtualClock

TENTH_OF_A_MICROSECOND = 1e-7
EVEN = ((0.190, 1), (0.040, 4), (0.020, 1))
ODD = ((0.300, 2), (0.060, 1), (0.030, 3))
ARRIVES_EVERY_S, BLOCKED_S = 0.5, 0.6
WITHHELD = {"p95": "withheld (n = 6, needs 72)", "p99": "withheld (n = 6, needs 368)"}


class KnownEngine(FakeEngine):
    """Answers one prompt token from its cache, and the last prompt otherwise than `base` from the fourth token on."""

    async def generate(self, request: GenerationRequest) -> AsyncGenerator[Chunk, None]:
        """Deliver the script with the last chunk changed."""
        async for chunk in super().generate(request):
            is_other = request.id == "ngram-c2-r1-measured-5" and chunk.finish_reason
            ids = tuple(token + 100 for token in chunk.token_ids) if is_other else chunk.token_ids
            yield replace(chunk, token_ids=ids, cached_tokens=1 if chunk.finish_reason else None)


class KnownBackend(FakeBackend):
    """Makes engines whose clients stall for 600 ms at every fourth arrival of the load `o2`, while they send."""

    def __init__(self, clock: VirtualClock) -> None:
        super().__init__(self.script)
        self.clock = clock

    def engine(self, arm: Arm, log: Path) -> KnownEngine:
        """Return a new engine."""
        return KnownEngine(arm, self.script_of)

    def script(self, request: GenerationRequest) -> Script:
        """What a request of that name meets."""
        arm, load, *_, index = request.id.split("-")
        slower = 2 if arm == "base" else 1
        if load == "over":
            return Script(steps=(Step(400.0, 1),))
        if load == "o2":
            self.clock.seconds += BLOCKED_S if int(index) % 4 == 0 else 0
            return Script(steps=(Step(0.1 * slower, 1),))
        steps = tuple(Step(seconds * slower, tokens) for seconds, tokens in (ODD if int(index) % 2 else EVEN))
        if arm == "base":
            return Script(steps=steps)
        drafts = {"drafted": (2,), "accepted": (2,)} if int(index) % 2 else {"drafted": (4, 4), "accepted": (3, 1)}
        return Script(steps=steps, **drafts)


def plan() -> Protocol:
    """One closed load, one open load below and one beyond what the engine serves, and a goodput limit of 400 ms to the first token."""
    open_load = {"kind": "open", "rate_per_s": "2", "arrivals": "constant", "requests": 200}
    loads = [{"id": "c2", "concurrency": 2, "requests": 6}, {"id": "o2", **open_load}, {"id": "over", **open_load}]
    return protocol_of(loads=loads, goodput_limits_s={"ttft": "0.4"})


@pytest.fixture
def result(run: Run) -> RunResult:
    """The run."""
    clock = VirtualClock()
    return run(KnownBackend(clock), protocol=plan(), prompts=6, clock=clock)


@pytest.fixture
def summary(result: RunResult) -> Summary:
    """Its figures."""
    return summarise(result.protocol, result.traces, seed=1)


def cell_of(summary: Summary, load: str, arm: str = "ngram") -> Cell:
    """One pooled cell."""
    found = summary.cell(arm, load)
    assert found is not None
    return found


def spread(metric: str, p50: float, mean: float, low: float, high: float, count: int) -> dict[str, Any]:
    """What a latency shows over six prompts."""
    return {
        f"{metric}.{stat}": value for stat, value in {"p50": p50, "mean": mean, "min": low, "max": high, "count": count, **WITHHELD}.items()
    }


def nothing(metric: str, reason: str) -> dict[str, Any]:
    """What a latency shows that no request had."""
    return {f"{metric}.{stat}": reason for stat in ("p50", "p95", "p99", "mean", "min", "max")} | {f"{metric}.count": 0}


def assert_shows(metrics: dict[str, Measure], expected: dict[str, Any]) -> None:
    """Assert that a cell has these figures, or reasons, and no other."""
    assert sorted(metrics) == sorted(expected)
    shown = {key: measure.reason if measure.value is None else measure.value for key, measure in metrics.items()}
    words = {key: value for key, value in expected.items() if isinstance(value, str)}
    assert {key: shown[key] for key in words} == words
    numbers = {key: value for key, value in expected.items() if key not in words}
    assert {key: shown[key] for key in numbers} == pytest.approx(numbers, rel=0, abs=TENTH_OF_A_MICROSECOND)


SERVICE = spread("service-ttft", 0.245, 0.245, 0.190, 0.300, 6)
CLOSED: dict[str, Any] = {
    **spread("ttft", 0.245, 0.245, 0.190, 0.300, 6),
    **SERVICE,
    **spread("client-lag", 0, 0, 0, 0, 6),
    **spread("e2e", 0.320, 0.320, 0.250, 0.390, 6),
    **spread("tpot", (0.060 / 5 + 0.090 / 4) / 2, (0.060 / 5 + 0.090 / 4) / 2, 0.060 / 5, 0.090 / 4, 6),
    **spread("longest-stall", 0.050, 0.050, 0.040, 0.060, 6),
    **spread("itl", 0.010, 0.450 / 27, 0.010, 0.060, 27),  # 21 of 10 ms, 3 of 20 ms, 3 of 60 ms
    **spread("chunk-gap", 0.035, 0.450 / 12, 0.020, 0.060, 12),  # 3 each of 20, 30, 40 and 60 ms
    "throughput.mean": 36 / 1.14,
    "throughput.steady": 30 / 0.78,  # both slots are busy until 0.78 s; five requests had ended by then
    "requests-per-s.mean": 6 / 1.14,
    "goodput.mean": 6 / 1.14,
    "output-tokens.total": 36,
    "prompt-tokens.total": 21,  # 1 + 2 + … + 6
    "prefix-cache.hit-share": 6 / 21,
    "acceptance.drafted": 3 * 8 + 3 * 2,
    "acceptance.accepted": 3 * 4 + 3 * 2,
    "acceptance.not-delivered": 3,  # the last step of the even ones yields two tokens, the length cuts one off
    "acceptance.rate": 18 / 30,
    "acceptance.mean-accepted": 18 / (3 * 2 + 3 * 1),
    "acceptance.tokens-per-step": 33 / 15,  # 18 accepted and one of the target's own at each of 15 steps
    "acceptance.delivered-per-step": 30 / 15,  # without the three tokens that were cut off
    "acceptance.any-accepted": 6 / 6,
    "acceptance.position-1": 9 / 9,
    "acceptance.position-2": 6 / 9,
    "acceptance.position-3": 3 / 6,
    "acceptance.position-4": 0 / 6,
    # sends at 0, 0, 0.25, 0.39, 0.5 and 0.75 s: two of six within 35 ms, half of the median step of `base`
    "burst.index": 2 / 6 - (1 - exp(-2 * 5 / 0.75 * 0.035)),
    "match.rate": 5 / 6,
    "match.first-difference": 3,
}
OPEN: dict[str, Any] = {
    # of every four requests the client stalls 600 ms in the first; the second is due after 500 ms and sent 100 ms late
    **spread("ttft", 0.150, (0.7 + 0.2 + 0.1 + 0.1) / 4, 0.1, 0.7, 200),
    **spread("service-ttft", 0.1, (0.7 + 0.1 + 0.1 + 0.1) / 4, 0.1, 0.7, 200),
    **spread("client-lag", 0, 0.1 / 4, 0, 0.1, 200),
    **spread("e2e", 0.150, (0.7 + 0.2 + 0.1 + 0.1) / 4, 0.1, 0.7, 200),
    **nothing("tpot", "no data (0 intervals)"),
    **nothing("longest-stall", "no data (0 intervals)"),
    **nothing("itl", "no data (0 intervals)"),
    **nothing("chunk-gap", "no data (0 intervals)"),
    "throughput.mean": 200 / 99.6,  # from the first send at 0.5 s to the last chunk at 100.1 s
    "throughput.steady": "undefined (no target concurrency)",
    "requests-per-s.mean": 200 / 99.6,
    "goodput.mean": 150 / 99.6,  # all but those of the stalls
    "output-tokens.total": 200,
    "prompt-tokens.total": 33 * 21 + 1 + 2,
    "prefix-cache.hit-share": 200 / (33 * 21 + 1 + 2),
    **{
        f"acceptance.{name}": "not recorded"
        for name in (
            "drafted",
            "accepted",
            "not-delivered",
            "rate",
            "mean-accepted",
            "tokens-per-step",
            "delivered-per-step",
            "any-accepted",
        )
    },
    "burst.index": -(1 - exp(-2 * 2 * 0.005)),  # no two sends of the 200, two a second, within 5 ms
    "match.rate": 1,
    "match.first-difference": "undefined (0 differences)",
    "saturation.repeats": 0,
}


def test_every_figure_of_a_closed_cell(summary: Summary) -> None:
    cell = cell_of(summary, "c2")
    assert cell.requests == {"sent": 6, "completed": 6, "failed": 0, "aborted": 0, "empty": 0}
    assert_shows(cell.metrics, CLOSED)
    repeat = summary.cell("ngram", "c2", 1)
    assert repeat is not None
    assert_shows(repeat.metrics, {key: value for key, value in CLOSED.items() if not key.startswith("match.")})


def test_every_figure_of_an_open_cell_whose_client_stalls(summary: Summary) -> None:
    assert_shows(cell_of(summary, "o2").metrics, OPEN)


def test_an_engine_that_falls_behind_is_saturated(summary: Summary) -> None:
    assert cell_of(summary, "over").metrics["saturation.repeats"].value == 1


def test_an_arm_that_takes_half_the_time_has_half_the_latency_and_twice_the_throughput(summary: Summary) -> None:
    found = summary.comparison("ngram", "base", "c2")
    assert found is not None
    ratios = {key: measure.value for key, measure in found.metrics.items() if key.endswith((".p50", ".mean"))}
    assert ratios.pop("client-lag.p50") is None  # of nothing to nothing
    faster = {key: 0.5 for key in ratios if key.endswith(".p50")}
    # within 400 ms to the first token: all of six, against three of six in twice the time
    assert ratios == pytest.approx(
        faster | {"throughput.mean": 2, "requests-per-s.mean": 2, "goodput.mean": 4, "output-length.mean": 1}, abs=1e-9
    )


def test_rules_may_ask_for_the_figures_that_a_run_has_and_for_no_other(result: RunResult, summary: Summary) -> None:
    for load in result.protocol.loads:
        found = {key for key in cell_of(summary, load.id).metrics if draft_position(key) is None}
        assert found == set(cell_metrics(result.protocol, load))
    [comparison, *_] = summary.comparisons
    assert set(comparison.metrics) == set(ratio_metrics(result.protocol))


def test_rules_may_ask_for_the_parts_of_memory_that_a_run_records(result: RunResult) -> None:
    every: dict[str, Any] = {field.name: 1 for field in fields(Memory)} | {"device_how": "nvml"}
    session = SessionRecord("base", 1, 1.0, {}, Memory(**every))
    [parts] = memory_of(replace(result, sessions=(session,))).values()
    assert set(parts) == set(MEMORY_WORDS)
