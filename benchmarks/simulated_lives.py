"""Runs made up with a known truth: prompts, engine lives that differ with heavy tails, drift, and one arm that varies more."""

import heapq
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ledger.analysis.measures.latencies import Latencies
from ledger.analysis.statistics.trace_columns import Floats, Ints, Names, Ragged, Traces
from ledger.bench.plan.order import arms_in_repeat
from ledger.model.records.protocol import Arm, Load, Model, Protocol, Sampling, Telemetry

PACE = 0.85
"""The time that arm `a1` takes over that of any other: the true ratio of every latency, and the inverse of that of throughput."""
STEP_S = 0.02
BETWEEN_PROMPTS, PROMPT_AND_ARM, REQUESTS = 0.35, 0.15, 0.2
"""Standard deviations, in logs, of what a prompt does on all arms, of what it does on one, and of each request by itself."""
PROMPT_AND_LIFE = 0.15
"""The same of what a prompt does in one life, where a design has that."""
DRIFT = 0.10
"""How much slower the last life of a run is than its first, where a design drifts."""
SLOTS = 8
TOKENS = 8


@dataclass(frozen=True, slots=True)
class Design:
    """What a simulated run is like."""

    arms: int = 3
    repeats: int = 3
    lives: float = 0.0
    """Standard deviation of what differs between lives, in logs; drawn from Student's t with 3 degrees of freedom."""
    kind: str = "plain"
    """`double`: the compared arm's lives have twice the variance. `drift`, `interaction`: as above."""
    prompts: int = 72
    is_open: bool = False
    """Whether arrivals, and with them the pace, are drawn anew for each repeat and alike for its arms."""

    def protocol(self) -> Protocol:
        """Return the plan of such a run."""
        arms = [Arm(id="base"), *(Arm(id=f"a{i}", method="ngram", num_speculative_tokens=2) for i in range(1, self.arms))]
        load = (
            Load(id="load", kind="open", rate_per_s="4", arrivals="poisson", requests=self.prompts)  # type: ignore[arg-type]  # read as a decimal
            if self.is_open
            else Load(id="load", concurrency=SLOTS, requests=self.prompts)
        )
        return Protocol(
            id="simulated",
            question="?",
            model=Model(name="none", source="none", licence="none"),
            engine={},
            arms=tuple(arms),
            loads=(load,),
            sampling=Sampling(temperature="0", max_tokens=TOKENS),  # type: ignore[arg-type]  # read as a decimal
            workload="none",
            repeats=self.repeats,
            order="williams",
            seed=1,
            warm_up_requests=0,
            telemetry=Telemetry(prompts="none", outputs="none", allowed_by="nobody"),
        )


def paces(chance: np.random.Generator, design: Design, places: Floats) -> Floats:
    """Return the seconds a token takes in every request; shape (arms, repeats, prompts).

    Args:
        chance: Source of randomness.
        design: What the run is like.
        places: When each life ran, from -0.5 for the first of the run to 0.5; shape (arms, repeats).
    """
    arms, repeats, prompts = design.arms, design.repeats, design.prompts
    logs = BETWEEN_PROMPTS * chance.standard_normal(prompts) + PROMPT_AND_ARM * chance.standard_normal((arms, 1, prompts))
    logs = logs + REQUESTS * chance.standard_normal((arms, repeats, prompts))
    lives = design.lives * chance.standard_t(3, size=(arms, repeats)) / sqrt(3)
    if design.kind == "double":
        lives[1] *= sqrt(2)
    if design.kind == "interaction":
        logs = logs + PROMPT_AND_LIFE * chance.standard_normal((arms, repeats, prompts))
    if design.kind == "drift":
        lives = lives + DRIFT * places
    if design.is_open:
        lives = lives + 0.2 * chance.standard_normal((1, repeats))
    logs = logs + lives[:, :, None]
    logs[1] += np.log(PACE)
    return np.asarray(STEP_S * np.exp(logs))


def places_of(protocol: Protocol) -> Floats:
    """Return when each life runs by the plan's own order, from -0.5 to 0.5; shape (arms, repeats)."""
    ids = [arm.id for arm in protocol.arms]
    order = [(ids.index(arm), repeat - 1) for repeat in range(1, protocol.repeats + 1) for arm in arms_in_repeat(protocol, repeat)]
    places = np.zeros((len(ids), protocol.repeats))
    for place, (arm, repeat) in enumerate(order):
        places[arm, repeat] = place / (len(order) - 1) - 0.5
    return places


def simulate(chance: np.random.Generator, design: Design, *, tokens: int = 2, has_slots: bool = False) -> Latencies:
    """Return the traces of a run as the columns that a run's own are.

    Args:
        chance: Source of randomness.
        design: What the run is like.
        tokens: Chunks of each request; the last of two carries all tokens but the first.
        has_slots: Whether requests follow each other in slots, as throughput needs; else they start at fixed instants.
    """
    protocol = design.protocol()
    pace = paces(chance, design, places_of(protocol))
    rows = pace.size
    start = np.stack([in_slots(one * TOKENS) for one in pace.reshape(-1, design.prompts)]).ravel() if has_slots else np.zeros(rows)
    if tokens == 2:
        ends, counts = np.asarray([1.0, TOKENS]), np.asarray([1, TOKENS - 1])
    else:
        ends, counts = np.arange(1.0, tokens + 1), np.ones(tokens, np.int64)
    gaps = pace.reshape(-1, 1) * ends
    if tokens > 2:
        noise = np.exp(REQUESTS * chance.standard_normal((rows, tokens)))
        gaps = np.cumsum(pace.reshape(-1, 1) * noise, axis=1)
    return Latencies(columns(design, protocol, start=start, chunks_s=(start[:, None] + gaps).ravel(), counts=counts))


def in_slots(held_s: Floats) -> Floats:
    """Return when each request starts, if each takes the slot that is free first."""
    free, starts = [0.0] * SLOTS, []
    for held in held_s.tolist():
        start = heapq.heappop(free)
        heapq.heappush(free, start + held)
        starts.append(start)
    return np.asarray(starts)


def columns(design: Design, protocol: Protocol, *, start: Floats, chunks_s: Floats, counts: Ints) -> Traces:
    """Return the columns of completed requests, arm by arm and repeat by repeat."""
    arms, repeats, prompts = design.arms, design.repeats, design.prompts
    rows, cells = arms * repeats * prompts, arms * repeats
    none = np.zeros(rows, np.int32)
    silent = Ragged(np.zeros(rows + 1, np.int64), np.zeros(0, np.int64), np.zeros(rows, np.bool_))
    return Traces(
        arm=Names.of([arm.id for arm in protocol.arms], np.repeat(np.arange(arms), repeats * prompts)),
        load=Names.of(("load",), none),
        prompt=Names.of([f"p{i:04d}" for i in range(prompts)], np.tile(np.arange(prompts), cells)),
        repeat=np.tile(np.repeat(np.arange(1, repeats + 1), prompts), arms).astype(np.int32),
        measured=none == 0,
        index=np.tile(np.arange(prompts), cells),
        scheduled_s=start,
        sent_s=start,
        outcome=none,
        chunk_offsets=np.arange(rows + 1) * len(counts),
        chunks_s=chunks_s,
        chunk_tokens=np.tile(counts, rows).astype(np.int32),
        prompt_tokens=none,
        cached_tokens=none,
        drafted=silent,
        accepted=silent,
        token_ids=silent,
        output_hash=Names.of((), none - 1),
    )
