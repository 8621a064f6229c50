"""How long a run may take, from an assumed pace or from that of an earlier run. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from statistics import fmean

from ledger.model.records.protocol import Arm, Drill, Load, Protocol
from ledger.model.records.run import Run

WARM_UP_IN_FLIGHT = 4
"""Concurrency of what comes before an open loop."""
SUITE_TOKENS = 32
"""Tokens of an answer to a suite's item."""
NATURAL_SHARE = 0.7
"""Share of its limit that an answer which ends by itself is assumed to have."""
OWN_DRAFT_FACTOR = 0.7
"""How fast an arm is that drafts with a model of the target's own size on a processor, against the plain one."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast an engine is taken to be."""

    start_s: float = 55.0
    """From nothing to ready, for one engine."""
    stop_s: float = 6.0
    alone_tokens_per_s: float = 29.0
    """The baseline at one request in flight."""
    batched_tokens_per_s: float = 148.0
    """The baseline at `batch` requests in flight and more."""
    batch: int = 8
    arms: Mapping[str, float] = field(default_factory=dict)
    """Arm to its speed against the baseline's; one that is not named is as fast."""
    tokens_a_request: float | None = None
    """Mean output of a request that ends by itself; None takes a share of the limit."""
    source: str = "assumed of a small model on two cores"

    def tokens_per_s(self, in_flight: int, arm: str = "") -> float:
        """Return an arm's throughput at a concurrency, interpolated between the two known points."""
        share = (min(in_flight, self.batch) - 1) / (self.batch - 1) if self.batch > 1 else 0.0
        return self.arms.get(arm, 1.0) * (self.alone_tokens_per_s + share * (self.batched_tokens_per_s - self.alone_tokens_per_s))


COMPILED = Pace()
"""SmolLM2-135M through vLLM's CPU build, of which one of two cores computes; a start compiles its kernels."""
EAGER = Pace(start_s=18.0, stop_s=5.0, alone_tokens_per_s=22.0, batched_tokens_per_s=60.0)
"""The same without compiled kernels."""


def assumed_pace(protocol: Protocol) -> Pace:
    """Return the pace of a plan of which no run is known."""
    arms = {arm.id: OWN_DRAFT_FACTOR for arm in protocol.arms if is_drafted_by_own_size(arm)}
    return replace(EAGER if protocol.engine.get("enforce_eager") is True else COMPILED, arms=arms)


def is_drafted_by_own_size(arm: Arm) -> bool:
    """Whether an arm's draft is the target itself, or a part of it that costs nearly as much."""
    return arm.method == "draft_model" and arm.draft in ("self", "untrained")


def pace_of_run(protocol: Protocol, run: Run, *, suite_item_count: int = 0, prompt_count: int = 0) -> Pace | None:
    """Return the pace that a whole run of a plan had, to tell how long another takes; None where it shows none.

    Args:
        protocol: what was run.
        run: its record.
        suite_item_count: items of the protocol's suites.
        prompt_count: prompts of its workload.
    """
    baseline = protocol.baseline.id
    speeds = {arm.id: speeds_of(protocol, run, arm.id) for arm in protocol.arms}
    base = speeds[baseline]
    if run.status != "complete" or not base:
        return None
    least, most = min(base), max(base)
    arms = {
        arm: fmean(found[in_flight] / base[in_flight] for in_flight in found.keys() & base.keys())
        for arm, found in speeds.items()
        if found.keys() & base.keys()
    }
    pace = Pace(0.0, 0.0, base[least], base[most], most, arms, mean_output(run), f"as fast as {run.id} was")
    if least > 1:
        pace = replace(pace, alone_tokens_per_s=base[least] / least, batch=most)
    busy_s = busy_estimate_s(protocol, pace, suite_item_count=suite_item_count, prompt_count=prompt_count)
    lives = protocol.repeats * len(protocol.arms) + sum(len(drilled(protocol, drill)) for drill in protocol.drills if costs_engine(drill))
    return replace(pace, start_s=max(1.0, (run.duration_s - busy_s) / lives))


def speeds_of(protocol: Protocol, run: Run, arm: str) -> dict[int, float]:
    """Return an arm's output tokens per second by the concurrency of each closed, cold load of a run."""
    loads = {load.id: load.concurrency for load in protocol.loads if load.kind == "closed" and load.concurrency and load.cache == "cold"}
    found = {}
    for cell in run.cells:
        in_flight = loads.get(cell.load)
        measure = cell.metrics.get("throughput.mean")
        if cell.arm == arm and cell.repeat is None and in_flight and measure is not None and measure.value:
            found[in_flight] = measure.value
    return found


def mean_output(run: Run) -> float | None:
    """Return the mean output of a run's completed requests; None where none completed."""
    pooled = [cell for cell in run.cells if cell.repeat is None]
    tokens = sum(measure.value or 0.0 for cell in pooled if (measure := cell.metrics.get("output-tokens.total")) is not None)
    completed = sum(cell.requests.get("completed", 0) for cell in pooled)
    return tokens / completed if completed and tokens else None


def busy_estimate_s(protocol: Protocol, pace: Pace, *, suite_item_count: int, prompt_count: int) -> float:
    """Return the assumed time of all cells, suites and drills, without any engine's start and stop."""
    every = [(arm.id, load) for arm in protocol.arms for load in protocol.loads]
    cells_s = sum(cell_estimate_s(protocol, load, arm, pace=pace, prompt_count=prompt_count) for arm, load in every)
    suites_s = sum(suite_item_count * SUITE_TOKENS / pace.tokens_per_s(pace.batch, arm.id) for arm in protocol.arms)
    drills_s = sum(drill_estimate_s(protocol, drill, arm, pace=pace) for drill in protocol.drills for arm in drilled(protocol, drill))
    return protocol.repeats * cells_s + suites_s + drills_s


def drilled(protocol: Protocol, drill: Drill) -> tuple[str, ...]:
    """Return the arms that a drill is for."""
    return drill.arms or tuple(arm.id for arm in protocol.arms)


def tokens_a_request(protocol: Protocol, pace: Pace) -> float:
    """Return the output that a request is taken to have."""
    sampling = protocol.sampling
    if sampling.drawn_tokens:
        return fmean(sampling.drawn_tokens)
    if sampling.ignore_eos:
        return sampling.max_tokens
    return min(pace.tokens_a_request or NATURAL_SHARE * sampling.max_tokens, sampling.max_tokens)


def requests_beforehand(protocol: Protocol, load: Load, prompt_count: int) -> int:
    """Return the requests of a cell that come before its measured ones: warm-up, and what fills a warm cache."""
    return protocol.warm_up_requests + (min(load.requests, prompt_count) if load.cache == "warm" else 0)


def cell_estimate_s(protocol: Protocol, load: Load, arm: str, *, pace: Pace, prompt_count: int) -> float:
    """Return the assumed duration of one cell, its ramp included; an open loop lasts at least as long as its arrivals."""
    tokens, in_flight = tokens_a_request(protocol, pace), load.concurrency or WARM_UP_IN_FLIGHT
    beforehand = requests_beforehand(protocol, load, prompt_count)
    beforehand_s = beforehand * tokens / pace.tokens_per_s(max(1, min(in_flight, beforehand)), arm)
    busy_s = load.requests * tokens / pace.tokens_per_s(load.concurrency or pace.batch, arm)
    measured_s = max(busy_s, load.requests / float(load.rate_per_s)) if load.rate_per_s else busy_s
    return beforehand_s + float(load.ramp_s or 0) + measured_s


def requests_of_drill(drill: Drill) -> int:
    """Return the requests of a drill on one arm: its own, a probe after the fault, and one before an overload."""
    return drill.requests + (2 if drill.kind == "overload" else 1)


def costs_engine(drill: Drill) -> bool:
    """Whether a drill ends the engine and starts another."""
    return drill.kind == "engine-killed"


def drill_estimate_s(protocol: Protocol, drill: Drill, arm: str, *, pace: Pace) -> float:
    """Return the assumed duration of a drill on one arm, without an engine's start; an overload lasts at least as long as its arrivals."""
    tokens = requests_of_drill(drill) * tokens_a_request(protocol, pace)
    busy_s = tokens / pace.tokens_per_s(drill.requests, arm)
    return max(busy_s, drill.requests / float(drill.rate_per_s)) if drill.rate_per_s else busy_s
