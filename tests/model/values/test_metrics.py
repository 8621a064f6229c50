"""The table of metrics: every key that a run writes has words, unit and a name in claims, and no key that none writes."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast, get_args

import pytest

from ledger.analysis.measures.drills import drill_result
from ledger.bench.engine.clock import RunClock
from ledger.bench.machine.cell_conditions import ENERGY_PER_TOKEN, MachineSample, figures_of
from ledger.bench.machine.cpu_readings import CpuReading, CpuTimes
from ledger.bench.machine.gpu_readings import GpuReading
from ledger.bench.run.cell import CellRun
from ledger.bench.run.execution import stagger_measures
from ledger.bench.run.overhead import Overhead, lag_measures
from ledger.bench.vllm.usage import Counts
from ledger.model.records.protocol import Drill, Limited, Load
from ledger.model.values.metrics import (
    DEVICE_WORDS,
    DRILL_WORDS,
    LATENCIES,
    LATENCY_STATISTICS,
    MEMORY_WORDS,
    METRICS,
    SPEED,
    draft_position,
    metric_words,
    name_words,
)
from ledger.model.values.units import MEASURE_DIMENSIONS, UNITS
from tests.bench.virtual_time import VirtualClock

RUNS = sorted((Path(__file__).resolve().parents[3] / "records" / "runs").glob("*.json"))
RECORDED_ONLY = {"clock.min", "own-work.total", "memory-clock.median", "power.max", "energy.total", "load-average.mean", "resident.max"}
"""Figures of a device that no page prints."""


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("tpot.p50", "TPOT, median"),
        ("service-ttft.p99", "service TTFT, p99"),
        ("itl.count", "ITL, count"),
        ("throughput.mean", "throughput, mean"),
        ("acceptance.rate", "acceptance rate"),
        ("acceptance.position-3", "acceptance, position 3"),
        ("of-another-day.p50", "of another day, median"),
        ("tpot", "tpot"),
    ],
)
def test_a_key_in_words(key: str, words: str) -> None:
    assert metric_words(key) == words


def test_a_metric_without_its_statistic_in_words() -> None:
    assert [name_words(name) for name in ("tpot", "throughput", "new-thing")] == ["TPOT", "output throughput", "new thing"]


@pytest.mark.parametrize(("key", "position"), [("acceptance.position-12", 12), ("acceptance.position-0", None), ("acceptance.rate", None)])
def test_a_draft_position_is_read_from_its_key(key: str, position: int | None) -> None:
    assert draft_position(key) == position


def test_every_latency_has_every_statistic_and_only_its_quantiles_are_divided() -> None:
    assert all(f"{name}.{statistic}" in METRICS for name in LATENCIES for statistic in LATENCY_STATISTICS)
    assert {key for key, metric in METRICS.items() if metric.name == "itl" and metric.has_ratio} == {"itl.p50", "itl.p95", "itl.p99"}
    assert METRICS["itl.count"].unit == "count"


def test_goodput_limits_speak_of_latencies() -> None:
    assert set(get_args(Limited)) <= set(LATENCIES)


def test_a_draft_that_is_accepted_is_no_speed() -> None:
    assert {*LATENCIES, "throughput", "requests-per-s", "goodput"} == SPEED


@pytest.mark.parametrize(
    ("key", "itself", "ratio", "is_inverted"),
    [
        ("throughput.mean", "output-throughput", "throughput-speedup", False),
        ("tpot.p50", "tpot", "output-speedup", True),
        ("e2e.p50", "end-to-end-latency", "latency-speedup", True),
        ("acceptance.rate", "acceptance-rate", "acceptance-ratio", False),
        ("ttft.p95", "ttft", "ttft-ratio", False),
    ],
)
def test_names_that_claims_use(key: str, itself: str, ratio: str, is_inverted: bool) -> None:
    metric = METRICS[key]
    assert (metric.claim_name, metric.ratio_claim_name, metric.is_speedup_inverse) == (itself, ratio, is_inverted)


def test_a_measure_and_a_quantity_of_one_dimension_call_it_alike() -> None:
    shared = {"s": "s", "tok/s": "tok/s", "req/s": "req/s", "share": "%", "bytes": "bytes", "ratio": "x", "tokens": "tokens", "W": "W"}
    for measured, claimed in shared.items():
        assert MEASURE_DIMENSIONS[measured] == UNITS[claimed]  # type: ignore[index]  # the keys are its units


def test_every_figure_of_every_drill_has_words_and_no_word_is_left_over() -> None:
    drills = [Drill.model_validate({"id": kind, "kind": kind, "requests": 2}) for kind in ("disconnect", "engine-killed", "overload")]
    written = {key for drill in drills for key in drill_result(drill, (drill.id, "base"), (), instants_s={}).metrics}
    assert written == set(DRILL_WORDS)


def test_every_figure_of_a_device_that_pages_print_is_one_that_a_run_writes() -> None:
    times = [CpuTimes(busy=100 * turn, steal=turn, total=1000 * turn) for turn in (1, 2)]
    gpus = [
        GpuReading(1980.0, 2600.0, 60.0, 500.0, 0.9, ("sw-thermal",), 1000.0 * turn)  # every field that NVML may answer
        for turn in (1, 2)
    ]
    cpu = [CpuReading(clock_mhz=2600.0, load_average=1.0, resident_bytes=1 << 20, times=one, own_ticks={1: 5}) for one in times]
    found = figures_of([MachineSample(float(2 * turn), cpu[turn], (gpus[turn],)) for turn in (0, 1)])
    clock, own_s = VirtualClock(), [0.0]
    overhead = Overhead(RunClock.starting_at(clock), lambda: own_s[0])
    overhead.begin()
    clock.seconds += 1
    runner = overhead.measures(1) | lag_measures([0.001])
    cell = SimpleNamespace(load=Load(id="c2", concurrency=2, requests=4), stagger_s=0.5)
    runner |= stagger_measures(cast("CellRun", cell))
    engine = Counts(steps=2, running=3, most_running=2, preemptions=0, queued_s=[0.1]).measures()
    written = {key.partition(".")[2] for key in (*found, *runner, *engine)} | {ENERGY_PER_TOKEN}
    assert written - RECORDED_ONLY - {"slowed-sw-thermal.share"} == set(DEVICE_WORDS)


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_every_key_of_a_run_that_has_landed_has_words_and_its_unit(path: Path) -> None:
    [run] = json.loads(path.read_text(encoding="utf-8"))["run"]
    for cell in run["cells"]:
        for key, measure in cell["metrics"].items():
            assert draft_position(key) is not None or METRICS[key].unit == measure["unit"], key
    compared = {key for comparison in run["comparisons"] for key in comparison["metrics"]}
    assert compared <= {key for key, metric in METRICS.items() if metric.has_ratio}
    assert keys_of(run.get("drills", []), "metrics") <= set(DRILL_WORDS)
    assert {part for parts in run["memory"].values() for part in parts} <= set(MEMORY_WORDS)
    figures = {key if key == ENERGY_PER_TOKEN else key.partition(".")[2] for key in keys_of(run.get("conditions", []), "measures")}
    assert figures - RECORDED_ONLY <= set(DEVICE_WORDS)


def keys_of(items: list[dict[str, Any]], field: str) -> set[str]:
    """Every key of a field over all items."""
    return {key for item in items for key in item[field]}


def test_the_projects_own_runs_are_among_those_checked() -> None:
    assert {path.stem for path in RUNS} >= {"2026-11-30-main"}
