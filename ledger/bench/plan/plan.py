"""The fixed order of a run's cells, its size, and what its sample sizes can show. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from ledger.analysis.measures.saturation import NEEDED_REQUESTS
from ledger.analysis.statistics.quantiles import needed_n
from ledger.bench.plan.estimate import (
    Pace,
    assumed_pace,
    busy_estimate_s,
    cell_estimate_s,
    costs_engine,
    requests_beforehand,
    requests_of_drill,
)
from ledger.bench.plan.order import arms_in_repeat
from ledger.bench.plan.request_sampling import largest_output
from ledger.bench.plan.stagger import discarded_requests
from ledger.model.records.protocol import Drill, Load, Protocol

LEAST_PROMPTS = {"p50 interval": needed_n(0.5), "p95": needed_n(0.95), "p99": needed_n(0.99)}
"""Distinct prompts from which a statistic has an interval (METRICS, Statistics)."""


@dataclass(frozen=True, slots=True)
class PlannedCell:
    """One arm at one load in one repeat."""

    arm: str
    load: str
    repeat: int
    """Counts from 1; 0 is the life that is discarded."""


@dataclass(frozen=True, slots=True)
class Session:
    """One life of an engine: loads of one arm in one repeat, and in the first repeat the acceptance suites."""

    arm: str
    repeat: int
    cells: tuple[PlannedCell, ...]
    with_suites: bool
    drills: tuple[Drill, ...] = ()
    """Fault drills after cells and suites, in the arm's first repeat."""
    place: int = 0
    """The arm's place in the order of its repeat, from 1; 0 for the life that is discarded."""


@dataclass(frozen=True, slots=True)
class LoadOutline:
    """What one load of a protocol can show."""

    load: str
    requests: int
    """Per cell, without warm-up and ramp."""
    distinct_prompts: int
    shown: tuple[str, ...]
    """Statistics that the sample carries."""
    withheld: tuple[str, ...]
    """Statistics that will be withheld, each with the number of distinct prompts, or of requests, that it needs."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The size of a run, before it starts."""

    sessions: tuple[Session, ...]
    requests: int
    """Warm-up and the filling of warm caches included; ramps, whose number nobody knows beforehand, and suites not."""
    suite_answers: int
    drill_requests: int
    """Probes included."""
    output_tokens_at_most: int
    estimate_s: float
    estimate_from: str
    """Where the estimate's pace comes from, in words."""
    loads: tuple[LoadOutline, ...]
    repeatability: bool
    """False for a single repeat, whose spread nobody can tell."""


def sessions(protocol: Protocol) -> tuple[Session, ...]:
    """Return the engine starts of a run in order, without the life that is discarded.

    One start serves all loads of an arm in a repeat, but for an arm that remembers answers: each of its cells has a life of its own.
    """
    return tuple(
        session
        for repeat in range(1, protocol.repeats + 1)
        for place, arm in enumerate(arms_in_repeat(protocol, repeat), 1)
        for session in sessions_of(protocol, arm, repeat, place=place)
    )


def sessions_of(protocol: Protocol, arm: str, repeat: int, *, place: int) -> tuple[Session, ...]:
    """Return the engine starts of an arm in a repeat; suites and drills come with the last, in the first repeat."""
    cells = tuple(PlannedCell(arm, load.id, repeat) for load in protocol.loads)
    lives = [(cell,) for cell in cells] if remembers_answers(protocol, arm) else [cells]
    is_first = repeat == 1
    return tuple(
        Session(
            arm,
            repeat,
            life,
            with_suites=is_first and is_last and bool(protocol.suites),
            drills=drills_of(protocol, arm) if is_first and is_last else (),
            place=place,
        )
        for life, is_last in zip(lives, [False] * (len(lives) - 1) + [True], strict=True)
    )


def discarded_session(protocol: Protocol) -> Session | None:
    """Return the life of the baseline that warms the machine and is discarded, its cells under repeat 0; None where the plan has none."""
    if protocol.no_discarded_life:
        return None
    arm = protocol.baseline.id
    return Session(arm, 0, tuple(PlannedCell(arm, load.id, 0) for load in protocol.loads), with_suites=False, place=0)


def load_of(protocol: Protocol, cell: PlannedCell) -> Load:
    """Return the load of a cell, with the requests that it sends: in the life that is discarded fewer than the plan's."""
    load = next(load for load in protocol.loads if load.id == cell.load)
    return load if cell.repeat else load.model_copy(update={"requests": discarded_requests(load)})


def remembers_answers(protocol: Protocol, arm: str) -> bool:
    """Whether an arm drafts from the answers of earlier requests, which no reset of the prefix cache empties."""
    found = protocol.arm(arm)
    return found is not None and found.method == "suffix" and found.options.get("suffix_decoding_max_cached_requests") != 0


def cells(protocol: Protocol) -> Iterator[PlannedCell]:
    """Yield the cells of a run in order."""
    for session in sessions(protocol):
        yield from session.cells


def drills_of(protocol: Protocol, arm: str) -> tuple[Drill, ...]:
    """Return the drills of an arm in order: as listed, but those that cost the engine come last."""
    named = [drill for drill in protocol.drills if not drill.arms or arm in drill.arms]
    return tuple(sorted(named, key=costs_engine))


def outline(protocol: Protocol, *, prompt_count: int, suite_item_count: int = 0, pace: Pace | None = None) -> Outline:
    """Return what a run of the protocol will do, how long it may take, and what it cannot show.

    Args:
        protocol: the plan.
        prompt_count: prompts of its workload.
        suite_item_count: items of its suites.
        pace: how fast it is taken to be; by default what is assumed of a small model.
    """
    pace = pace or assumed_pace(protocol)
    planned = sessions(protocol)
    requests = sum(requests_of(protocol, load_of(protocol, cell), prompt_count) for session in planned for cell in session.cells)
    drills = [drill for session in planned for drill in session.drills]
    drill_requests = sum(requests_of_drill(drill) for drill in drills)
    return Outline(
        sessions=planned,
        requests=requests,
        suite_answers=suite_item_count * len(protocol.arms),
        drill_requests=drill_requests,
        output_tokens_at_most=(requests + drill_requests) * largest_output(protocol),
        estimate_s=estimate_s(protocol, pace, suite_item_count=suite_item_count, prompt_count=prompt_count),
        estimate_from=pace.source,
        loads=tuple(load_outline(load, prompt_count) for load in protocol.loads),
        repeatability=protocol.repeats > 1,
    )


def estimate_s(protocol: Protocol, pace: Pace, *, suite_item_count: int, prompt_count: int) -> float:
    """Return how long a run may take: every engine's start and stop, the life that is discarded, cells, suites and drills."""
    planned = sessions(protocol)
    lives = len(planned) + sum(costs_engine(drill) for session in planned for drill in session.drills)
    busy_s = busy_estimate_s(protocol, pace, suite_item_count=suite_item_count, prompt_count=prompt_count)
    discarded = discarded_session(protocol)
    if discarded is not None:
        lives += 1
        loads = [load_of(protocol, cell) for cell in discarded.cells]
        busy_s += sum(cell_estimate_s(protocol, load, discarded.arm, pace=pace, prompt_count=prompt_count) for load in loads)
    return lives * (pace.start_s + pace.stop_s) + busy_s


def requests_of(protocol: Protocol, load: Load, prompt_count: int) -> int:
    """Return the requests of one cell: warm-up, what fills a warm cache, and the measured ones; the ramp's are not known."""
    return requests_beforehand(protocol, load, prompt_count) + load.requests


def load_outline(load: Load, prompt_count: int) -> LoadOutline:
    """Return what the number of distinct prompts of a load allows and what it withholds."""
    distinct = min(load.requests, prompt_count)
    shown = tuple(name for name, needed in LEAST_PROMPTS.items() if distinct >= needed)
    withheld = tuple(f"{name} (n = {distinct}, needs {needed})" for name, needed in LEAST_PROMPTS.items() if distinct < needed)
    if load.kind == "open" and load.requests < NEEDED_REQUESTS:
        withheld += (f"saturation ({load.requests} requests, needs {NEEDED_REQUESTS})",)
    elif load.kind == "open":
        shown += ("saturation",)
    return LoadOutline(load.id, load.requests, distinct, shown, withheld)
