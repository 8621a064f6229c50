"""A protocol: what a run will do and how its outcome will be judged, fixed before it starts."""

from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictInt

from ledger.model.record import Part, Record
from ledger.model.values.reference import Reference
from ledger.model.values.values import Exact, Name, Sha256, Slug, Text, TomlValue

Method = Literal[
    "ngram",
    "ngram_gpu",
    "draft_model",
    "suffix",
    "eagle",
    "eagle3",
    "medusa",
    "mlp_speculator",
    "mtp",
    "dflash",
    "dspark",
    "custom_class",
]
"""Every method of vLLM 0.32 that drafts; its `extract_hidden_states` drafts nothing."""
Kept = Literal["full", "hash", "none"]
Limited = Literal["ttft", "service-ttft", "e2e", "tpot", "longest-stall"]
"""Metrics of one request that goodput may limit."""


class Model(Part):
    """The model under test: a local folder or hub name, resolved when the run starts.

    A hash that is given belongs to the plan: the run refuses a folder whose files differ.
    """

    name: Name
    source: Text
    """Where it comes from: a hub name and revision, or a package and version."""
    licence: Text
    revision: Text | None = None
    """The commit of its repository."""
    weights_sha256: Sha256 | None = None
    """Of the weight files; of several, the hash of their list of hashes and names."""
    config_sha256: Sha256 | None = None
    """Of `config.json` and `generation_config.json`."""
    tokenizer_sha256: Sha256 | None = None
    """Of the tokenizer's files, its chat template included."""
    chat_template_sha256: Sha256 | None = None
    """Of the chat template's text alone."""


class Draft(Part):
    """A draft model, named by id and held to its hashes; where it lies on a machine is no part of a plan."""

    id: Name
    source: Text
    """Where it comes from: a hub name and revision."""
    licence: Text | None = None
    revision: Text | None = None
    weights_sha256: Sha256
    config_sha256: Sha256 | None = None
    tokenizer_sha256: Sha256 | None = None


class Arm(Part):
    """One configuration; the first of a protocol is the baseline."""

    id: Name
    method: Method | None = None
    """None runs without speculation."""
    num_speculative_tokens: Annotated[StrictInt, Field(ge=1)] | None = None
    prompt_lookup_min: Annotated[StrictInt, Field(ge=1)] | None = None
    prompt_lookup_max: Annotated[StrictInt, Field(ge=1)] | None = None
    draft: Text | None = None
    """The draft model, by its id among `drafts`; `self` takes the target, `untrained` a one-layer copy of it with random weights,
    which cannot help. For `custom_class` the class that drafts, such as `package.module.Class`."""
    options: dict[str, TomlValue] = {}
    """Further keys of vLLM's speculative configuration, passed through; a draft-length schedule is one."""
    repeats_of: Name | None = None
    """For the second baseline of an A/A comparison: the arm it repeats."""
    matches: Name | None = None
    """For a matched baseline: the arm whose scheduler and model runner it takes, without its speculation. An arm that cannot have
    vLLM's default scheduler loses it as part of its price; beside this baseline the loss is told apart from the speculation."""
    expect: Text | None = None
    """For a control: what it must show."""


class Load(Part):
    """How requests arrive."""

    id: Name
    kind: Literal["closed", "open"] = "closed"
    concurrency: Annotated[StrictInt, Field(ge=1)] | None = None
    """Closed loop: how many requests are in flight."""
    rate_per_s: Exact | None = None
    """Open loop: mean arrivals per second."""
    arrivals: Literal["poisson", "constant", "gamma"] | None = None
    start: Literal["staggered", "together"] = "staggered"
    """Closed loop: whether its slots start one after another, or all at once, which can keep requests of equal length in lock step."""
    stagger_s: Exact | None = None
    """Closed loop: the seconds over which the slots' starts are spread, the same on every arm. None measures them once: the median
    time of a whole request of the baseline in the engine life that is discarded."""
    queues: StrictBool = False
    """Closed loop: true where more requests in flight than the engine takes at once are meant to wait in its queue."""
    ramp_s: Exact | None = None
    """The load first grows evenly from nothing over so many seconds; requests sent meanwhile are recorded and left out."""
    cache: Literal["cold", "warm"] = "cold"
    """`cold` empties the prefix cache before the measured requests; `warm` sends each prompt once beforehand and keeps it."""
    requests: Annotated[StrictInt, Field(ge=1)]
    """Requests per cell; prompts are taken in the workload's order, from the start again when used up."""


class Sampling(Part):
    """Sampling and output length, the same rule on every arm; what is left out is left to vLLM's neutral default."""

    temperature: Exact
    max_tokens: Annotated[StrictInt, Field(ge=1)]
    """The most that an answer may have; a prompt's own `max_tokens` goes before it. Answers end by themselves below it."""
    ignore_eos: StrictBool = False
    """True lets no answer end by itself, which fixes its length."""
    drawn_tokens: tuple[Annotated[StrictInt, Field(ge=1)], Annotated[StrictInt, Field(ge=1)]] | None = None
    """Least and largest output length, inclusive: each prompt's is drawn evenly between them from the protocol's seed, the same on
    every arm and in every repeat. Needs `ignore_eos`."""
    top_p: Exact | None = None
    top_k: Annotated[StrictInt, Field(ge=1)] | None = None
    min_p: Exact | None = None
    presence_penalty: Exact | None = None
    frequency_penalty: Exact | None = None
    repetition_penalty: Exact | None = None
    stop: tuple[Text, ...] = ()
    """Texts that end an answer."""
    request_limit_s: Exact | None = None
    """Seconds after which a request is given up; None gives up only on one that has delivered nothing for a quarter of an hour."""


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
    requests: Annotated[StrictInt, Field(ge=1)]
    """Requests in flight when the fault comes; for an overload, all that arrive."""
    rate_per_s: Exact | None = None
    """Overload: mean arrivals per second."""
    after_chunks: Annotated[StrictInt, Field(ge=1)] = 4
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
        "drafts",
        "no_discarded_life",
        "chat_template_arguments",
        "allowed_failure_share",
    )

    question: Text
    model: Model
    engine: dict[str, TomlValue]
    """Engine arguments of vLLM, the same on every arm; lists and tables as vLLM takes them."""
    arms: Annotated[tuple[Arm, ...], Field(min_length=2)]
    loads: Annotated[tuple[Load, ...], Field(min_length=1)]
    sampling: Sampling
    workload: Slug
    suites: tuple[Slug, ...] = ()
    repeats: Annotated[StrictInt, Field(ge=1)]
    order: Literal["alternate-and-reverse", "williams"] = "alternate-and-reverse"
    """How the arms follow each other. `williams`: over the repeats, as far as there are enough, every arm takes every place and follows
    every other arm equally often, in an order drawn from the seed."""
    no_discarded_life: Text | None = None
    """Why no engine life of the baseline runs first and is thrown away; None lets one run, which warms the machine."""
    seed: StrictInt
    warm_up_requests: Annotated[StrictInt, Field(ge=0)]
    rules: tuple[Rule, ...] = ()
    decision: Decision | None = None
    telemetry: Telemetry
    goodput_limits_s: dict[Limited, Exact] = {}
    """Largest allowed value of each metric in seconds, inclusive; a request that meets all of them counts as good."""
    drills: tuple[Drill, ...] = ()
    """Run once an arm, after its suites, outside every other statistic."""
    drafts: tuple[Draft, ...] = ()
    """The draft models that arms name by id."""
    chat_template_arguments: dict[str, TomlValue] = {}
    """Passed to the model's chat template with every prompt, such as `enable_thinking`."""
    allowed_failure_share: Exact | None = None
    """Share of a cell's planned requests, below 1, that may come to no end without voiding the cell; None allows none."""
    author: Text | None = None

    @property
    def baseline(self) -> Arm:
        """The arm every other is compared with."""
        return self.arms[0]

    def arm(self, arm_id: str) -> Arm | None:
        """Return the arm of that id, if there is one."""
        return next((arm for arm in self.arms if arm.id == arm_id), None)
