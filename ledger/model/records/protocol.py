"""A protocol: what a run will do and how its outcome will be judged, fixed before it starts."""

from typing import Annotated, Literal

from pydantic import Field

from ledger.model.record import Part, Record
from ledger.model.values.reference import Reference
from ledger.model.values.values import Exact, Name, Slug, Text

Method = Literal["ngram", "draft_model", "suffix", "eagle", "eagle3", "medusa", "mtp"]
Kept = Literal["full", "hash", "none"]
Limited = Literal["ttft", "service-ttft", "e2e", "tpot", "longest-stall"]
"""Metrics of one request that goodput may limit."""
Scalar = str | int | bool


class Model(Part):
    """The model under test: a local folder or hub name, resolved when the run starts."""

    name: Name
    source: Text
    """Where it comes from: a hub name and revision, or a package and version."""
    licence: Text


class Arm(Part):
    """One configuration; the first of a protocol is the baseline."""

    id: Name
    method: Method | None = None
    """None runs without speculation."""
    num_speculative_tokens: Annotated[int, Field(ge=1)] | None = None
    prompt_lookup_min: Annotated[int, Field(ge=1)] | None = None
    prompt_lookup_max: Annotated[int, Field(ge=1)] | None = None
    draft: Text | None = None
    """The draft model; `self` takes the target, `untrained` a one-layer copy of it with random weights, which cannot help."""
    options: dict[str, Scalar] = {}
    """Further keys of vLLM's speculative configuration, passed through."""
    repeats_of: Name | None = None
    """For the second baseline of an A/A comparison: the arm it repeats."""
    expect: Text | None = None
    """For a control: what it must show."""


class Load(Part):
    """How requests arrive."""

    id: Name
    kind: Literal["closed", "open"] = "closed"
    concurrency: Annotated[int, Field(ge=1)] | None = None
    """Closed loop: how many requests are in flight."""
    rate_per_s: Exact | None = None
    """Open loop: mean arrivals per second."""
    arrivals: Literal["poisson", "constant", "gamma"] | None = None
    ramp_s: Exact | None = None
    """The load first grows evenly from nothing over so many seconds; requests sent meanwhile are recorded and left out."""
    cache: Literal["cold", "warm"] = "cold"
    """`cold` empties the prefix cache before the measured requests; `warm` sends each prompt once beforehand and keeps it."""
    requests: Annotated[int, Field(ge=1)]
    """Requests per cell; prompts are taken in the workload's order, from the start again when used up."""


class Sampling(Part):
    """Sampling and output length, the same for every request."""

    temperature: Exact
    max_tokens: Annotated[int, Field(ge=1)]
    ignore_eos: bool = False
    """True fixes the output length, for comparisons of speed."""


class Rule(Part):
    """One question with its bound; only rules fixed here get a verdict."""

    id: Name
    question: Text
    metric: Reference
    """`run:@this#…`, resolved in the run that the protocol makes."""
    bound: Literal["at-most", "at-least"]
    value: Exact
    direction: Literal["lower-is-better", "higher-is-better"]


class Decision(Part):
    """Ordered candidates: the first that passes every rule naming it, else the fallback."""

    candidates: tuple[Name, ...]
    otherwise: Name


class Drill(Part):
    """A fault caused on purpose, to measure how the engine recovers."""

    id: Name
    kind: Literal["disconnect", "engine-killed", "overload"]
    """`disconnect`: clients leave in mid-stream; `engine-killed`: its processes are killed; `overload`: arrivals beyond capacity."""
    requests: Annotated[int, Field(ge=1)]
    """Requests in flight when the fault comes; for an overload, all that arrive."""
    rate_per_s: Exact | None = None
    """Overload: mean arrivals per second."""
    after_chunks: Annotated[int, Field(ge=1)] = 4
    """Chunks that a request has delivered when its client leaves, or when the engine is killed."""
    arms: tuple[Name, ...] = ()
    """Arms that are drilled; none named drills them all."""


class Telemetry(Part):
    """What of the prompts and outputs may be kept, and who allowed it."""

    prompts: Kept
    outputs: Kept
    allowed_by: Text


class Protocol(Record):
    """A plan of measurement: workload, arms, loads, sampling, rules and controls."""

    KIND = "protocol"
    MEANING = (
        "question",
        "model",
        "engine",
        "arms",
        "loads",
        "sampling",
        "workload",
        "suites",
        "repeats",
        "order",
        "seed",
        "warm_up_requests",
        "rules",
        "decision",
        "telemetry",
        "goodput_limits_s",
        "drills",
    )

    question: Text
    model: Model
    engine: dict[str, Scalar]
    """Engine arguments of vLLM, the same on every arm."""
    arms: Annotated[tuple[Arm, ...], Field(min_length=2)]
    loads: Annotated[tuple[Load, ...], Field(min_length=1)]
    sampling: Sampling
    workload: Slug
    suites: tuple[Slug, ...] = ()
    repeats: Annotated[int, Field(ge=1)]
    order: Literal["alternate-and-reverse"] = "alternate-and-reverse"
    seed: int
    warm_up_requests: Annotated[int, Field(ge=0)]
    rules: tuple[Rule, ...] = ()
    decision: Decision | None = None
    telemetry: Telemetry
    goodput_limits_s: dict[Limited, Exact] = {}
    """Largest allowed value of each metric in seconds, inclusive; a request that meets all of them counts as good."""
    drills: tuple[Drill, ...] = ()
    """Run once an arm, after its suites, outside every other statistic."""
    author: Text | None = None

    @property
    def baseline(self) -> Arm:
        """The arm every other is compared with."""
        return self.arms[0]

    def arm(self, arm_id: str) -> Arm | None:
        """Return the arm of that id, if there is one."""
        return next((arm for arm in self.arms if arm.id == arm_id), None)
