"""The fixed order of a run's cells, its size, and what its sample sizes can show. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from ledger.model.protocol import Load, Protocol

LEAST_PROMPTS = {"p50 interval": 6, "p95": 72, "p99": 368}
"""Distinct prompts from which a statistic has an interval (METRICS, Statistics)."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One arm at one load in one repeat."""

    arm: str
    load: str
    repeat: int
    """Counts from 1."""


@dataclass(frozen=True, slots=True)
class Session:
    """One life of an engine: every load of one arm in one repeat, and in the first repeat the acceptance suites."""

    arm: str
    repeat: int
    cells: tuple[Cell, ...]
    with_suites: bool


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast an engine is assumed to be before any measurement."""

    start_s: float = 30.0
    """From nothing to ready, for one engine."""
    alone_tokens_per_s: float = 60.0
    """At one request in flight."""
    batched_tokens_per_s: float = 270.0
    """At `batch` requests in flight and more."""
    batch: int = 8

    def tokens_per_s(self, in_flight: int) -> float:
        """Return the throughput at a concurrency, interpolated between the two known points."""
        share = (min(in_flight, self.batch) - 1) / (self.batch - 1)
        return self.alone_tokens_per_s + share * (self.batched_tokens_per_s - self.alone_tokens_per_s)


SMALL_MODEL_ON_TWO_CORES = Pace()
"""SmolLM2-135M through vLLM's CPU build; other machines and models pass their own."""


@dataclass(frozen=True, slots=True)
class LoadOutline:
    """What one load of a protocol can show."""

    load: str
    requests: int
    """Per cell, without warm-up."""
    distinct_prompts: int
    withheld: tuple[str, ...]
    """Statistics that will be withheld, each with the number of distinct prompts that it needs."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The size of a run, before it starts."""

    sessions: tuple[Session, ...]
    requests: int
    """Warm-up included, suites not."""
    suite_answers: int
    output_tokens_at_most: int
    estimate_s: float
    loads: tuple[LoadOutline, ...]
    repeatability: bool
    """False for a single repeat, whose spread nobody can tell."""


def arms_in_repeat(protocol: Protocol, repeat: int) -> tuple[str, ...]:
    """Return the arms in the order of a repeat: as listed in odd ones, reversed in even ones, so that drift cancels."""
    arms = tuple(arm.id for arm in protocol.arms)
    return arms if repeat % 2 else arms[::-1]


def sessions(protocol: Protocol) -> tuple[Session, ...]:
    """Return the engine starts of a run in order; one start serves all loads of an arm in a repeat."""
    return tuple(
        Session(
            arm, repeat, tuple(Cell(arm, load.id, repeat) for load in protocol.loads), with_suites=repeat == 1 and bool(protocol.suites)
        )
        for repeat in range(1, protocol.repeats + 1)
        for arm in arms_in_repeat(protocol, repeat)
    )


def cells(protocol: Protocol) -> Iterator[Cell]:
    """Yield the cells of a run in order."""
    for session in sessions(protocol):
        yield from session.cells


def outline(protocol: Protocol, *, prompt_count: int, suite_item_count: int = 0, pace: Pace = SMALL_MODEL_ON_TWO_CORES) -> Outline:
    """Return what a run of the protocol will do, how long it may take, and what it cannot show."""
    planned = sessions(protocol)
    per_load = {load.id: load.requests + protocol.warm_up_requests for load in protocol.loads}
    repeats = len(planned)
    requests = repeats * sum(per_load.values())
    busy_s = sum(cell_estimate_s(load, per_load[load.id] * protocol.sampling.max_tokens, pace) for load in protocol.loads)
    suite_answers = suite_item_count * len(protocol.arms)
    return Outline(
        sessions=planned,
        requests=requests,
        suite_answers=suite_answers,
        output_tokens_at_most=requests * protocol.sampling.max_tokens,
        estimate_s=repeats * (pace.start_s + busy_s) + suite_answers * 48 / pace.batched_tokens_per_s,
        loads=tuple(load_outline(load, prompt_count) for load in protocol.loads),
        repeatability=protocol.repeats > 1,
    )


def cell_estimate_s(load: Load, tokens: int, pace: Pace) -> float:
    """Return the assumed duration of one cell; an open loop lasts at least as long as its arrivals."""
    busy_s = tokens / pace.tokens_per_s(load.concurrency or pace.batch)
    return max(busy_s, load.requests / float(load.rate_per_s)) if load.rate_per_s else busy_s


def load_outline(load: Load, prompt_count: int) -> LoadOutline:
    """Return what the number of distinct prompts of a load allows and what it withholds."""
    distinct = min(load.requests, prompt_count)
    withheld = tuple(f"{name} (n = {distinct}, needs {needed})" for name, needed in LEAST_PROMPTS.items() if distinct < needed)
    return LoadOutline(load.id, load.requests, distinct, withheld)
