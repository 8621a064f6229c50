"""A run: what was executed, in which environment, with its cells recomputable from the evidence."""

import re
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictFloat, StrictInt

from ledger.model.record import Part, Record
from ledger.model.records.review import MeaningHash
from ledger.model.values.units import MeasureUnit
from ledger.model.values.values import InnerPath, Instant, Name, Scalar, Sha256, Slug, Text


class EnvironmentFact(StrEnum):
    """Every key of a run's environment, and its words on a page: what the bench writes is what the pages read.

    A machine with GPUs has one key more for each of them, such as `gpu_0`; a plan with drafts one for each, such as
    `draft_head_sha256`; and every further variable that may change what the engine does stands under its own name.
    """

    words: str

    ENGINE = "engine", "Engine"
    HARDWARE = "hardware", "Hardware"
    PYTHON = "python", "Python"
    OS = "os", "Operating system"
    CLOCK = "clock", "Clock"
    TORCH = "torch", "PyTorch"
    TRANSFORMERS = "transformers", "Transformers"
    TOKENIZERS = "tokenizers", "Tokenizers"
    EVIDENCE_LEDGER = "evidence_ledger", "Evidence ledger"
    CUDA = "cuda", "CUDA"
    OPENMP = "openmp", "OpenMP"
    CPU = "cpu", "Processor"
    CPU_CORES = "cpu_cores", "CPU cores"
    CPU_THREADS = "cpu_threads", "CPU threads"
    CPU_MHZ = "cpu_mhz", "CPU clock, MHz"
    MEMORY_BYTES = "memory_bytes", "Memory"
    GPU = "gpu", "GPU"
    GPU_COUNT = "gpu_count", "GPUs"
    GPU_MEMORY_BYTES = "gpu_memory_bytes", "GPU memory"
    GPU_POWER_LIMIT_W = "gpu_power_limit_w", "GPU power limit, W"
    GPU_DRIVER = "gpu_driver", "Driver"
    HOSTS = "hosts", "Hosts"
    HOSTS_GPUS = "hosts_gpus", "GPUs by host"
    DEVICE_MEMORY_SOURCE = "device_memory_source", "Device memory source"
    MODEL_WEIGHTS_SHA256 = "model_weights_sha256", "Model weights, sha256"
    MODEL_CONFIG_SHA256 = "model_config_sha256", "Model configuration, sha256"
    TOKENIZER_SHA256 = "tokenizer_sha256", "Tokenizer, sha256"
    CHAT_TEMPLATE_SHA256 = "chat_template_sha256", "Chat template, sha256"
    CLIENT = "client", "Client"
    COMMAND = "command", "Command"
    ATTENTION_BACKEND = "attention_backend", "Attention backend"
    ENGINE_CORES = "engine_cores", "Cores that compute"
    RESERVED_CORES = "reserved_cores", "Cores left to the front end"
    NCCL = "nccl", "NCCL"
    FLASHINFER = "flashinfer", "FlashInfer"
    VLLM_CPU_KVCACHE_SPACE = "VLLM_CPU_KVCACHE_SPACE", "Space for the KV cache (VLLM_CPU_KVCACHE_SPACE), GiB"
    VLLM_CPU_OMP_THREADS_BIND = "VLLM_CPU_OMP_THREADS_BIND", "Cores of the engine (VLLM_CPU_OMP_THREADS_BIND)"
    VLLM_CPU_NUM_OF_RESERVED_CPU = "VLLM_CPU_NUM_OF_RESERVED_CPU", "Cores kept from the engine (VLLM_CPU_NUM_OF_RESERVED_CPU)"
    OMP_NUM_THREADS = "OMP_NUM_THREADS", "Threads of OpenMP (OMP_NUM_THREADS)"
    CUDA_VISIBLE_DEVICES = "CUDA_VISIBLE_DEVICES", "Visible GPUs (CUDA_VISIBLE_DEVICES)"

    def __new__(cls, key: str, words: str) -> "EnvironmentFact":
        """Return the member whose value is its key, with its words beside it."""
        member = str.__new__(cls, key)
        member._value_ = key
        member.words = words
        return member


_ENVIRONMENT_WORDS = {str(fact): fact.words for fact in EnvironmentFact}
_ONE_GPU = re.compile(r"gpu_(\d+)")
_ONE_DRAFT = re.compile(r"draft_(.+)_sha256")


def gpu_key(place: int) -> str:
    """Return the key under which one of the visible GPUs, counted from 0, is described."""
    return f"gpu_{place}"


def draft_key(draft: str) -> str:
    """Return the key under which the hash of a draft's weights stands."""
    return f"draft_{draft}_sha256"


def environment_words(key: str) -> str:
    """Return how a page calls a key of a run's environment; one that no bench of ours writes is called by itself."""
    if words := _ENVIRONMENT_WORDS.get(key):
        return words
    if match := _ONE_GPU.fullmatch(key):
        return f"GPU {match[1]}"
    if match := _ONE_DRAFT.fullmatch(key):
        return f"Draft {match[1]}, weights, sha256"
    if key.isupper():
        return key  # a variable, by its own name
    text = key.replace("_", " ")
    return text[:1].upper() + text[1:]


LOCK_STEPPED_ABOVE = 0.5
"""Burst index above which a cell ran in lock step: most of its requests were sent with another, far more than by chance."""
EVEN_LENGTHS = (0.98, 1.02)
"""Ratio of mean output lengths between which two arms answered at the same length."""


class Evidence(Part):
    """A file that the run's numbers come from."""

    path: InnerPath
    """Relative to the ledger's evidence folder."""
    sha256: Sha256
    bytes: StrictInt
    media_type: Text


class Measure(Part):
    """One statistic: its value, interval and sample, or the reason why there is none."""

    value: StrictFloat | None = None
    """Seconds, tokens per second, a share of 1, bytes, a count, a ratio, or a reading of the device, as `unit` says."""
    unit: MeasureUnit
    low: StrictFloat | None = None
    high: StrictFloat | None = None
    """Ends of the 95 % interval, both inclusive."""
    n: Annotated[StrictInt, Field(ge=0)]
    """Distinct prompts behind the value (METRICS, Statistics)."""
    reason: Text | None = None
    """Why there is no value: withheld, undefined, not recorded, no data."""
    interval_reason: Text | None = None
    """Why there is a value but no interval."""
    interval_of: Text | None = None
    """What the interval bounds, where that is not the value itself but, for rare events, the share of prompts that had any."""


class Cell(Part):
    """One arm at one load; `repeat` is None for the repeats pooled."""

    arm: Name
    load: Name
    repeat: StrictInt | None = None
    requests: dict[Literal["sent", "completed", "failed", "aborted", "empty", "ended-empty"], StrictInt]
    """What became of those sent; `ended-empty` stands only where there are some."""
    metrics: dict[str, Measure]
    """Key `metric.stat`, such as `tpot.p50`; see METRICS in the documentation."""
    shortfall: Text | None = None
    """Why nothing may rest on the cell, such as `48 of 72 completed`: fewer requests were answered than planned."""

    @property
    def is_saturated(self) -> bool:
        """Whether arrivals outran the engine in any repeat; flagged wherever a number of the cell is printed."""
        repeats = self.metrics.get("saturation.repeats")
        return bool(repeats and repeats.value)

    @property
    def is_lock_stepped(self) -> bool:
        """Whether requests began together, so that prefills hardly met decodes; flagged wherever a number of the cell is printed."""
        index = self.metrics.get("burst.index")
        return bool(index and index.value is not None and index.value > LOCK_STEPPED_ABOVE)


class Comparison(Part):
    """An arm against a base at one load, paired by prompt."""

    arm: Name
    base: Name
    load: Name
    metrics: dict[str, Measure]
    shortfall: Text | None = None
    """Why nothing may rest on it: what the cell of the arm, or of the base, fell short by."""

    @property
    def has_other_lengths(self) -> bool:
        """Whether the arm's answers are longer or shorter than the base's; then its end-to-end latency and throughput are flagged."""
        lengths = self.metrics.get("output-length.mean")
        return bool(lengths and lengths.value is not None and not EVEN_LENGTHS[0] <= lengths.value <= EVEN_LENGTHS[1])


class SuiteResult(Part):
    """What one arm answered to one suite."""

    suite: Slug
    arm: Name
    passed: StrictInt
    failed: StrictInt
    malformed: StrictInt
    """Failed because the answer had no readable form, counted in `failed` too."""
    by_category: dict[str, tuple[StrictInt, StrictInt]]
    """Category to passed and asked."""
    negative_controls: tuple[StrictInt, StrictInt] | None = None
    """Passed and asked of the items whose right behaviour is to refuse or abstain; None where they are those of `refusal` and `abstain`."""


class Condition(Part):
    """What the device did while a cell ran; recorded, not recomputable from traces."""

    arm: Name
    load: Name
    repeat: StrictInt
    measures: dict[str, Measure]
    """Key `device.quantity.stat`, such as `cpu.clock.median` or `gpu-0.temperature.max`."""


class DrillResult(Part):
    """How one arm came through one fault drill."""

    drill: Name
    arm: Name
    instants_s: dict[str, StrictFloat]
    """What happened when, in seconds of the run, such as `fault` and `recovered`; recorded."""
    metrics: dict[str, Measure]
    """Recomputed from the drill's traces and these instants."""


class Verdict(Part):
    """The outcome of one rule of the protocol."""

    rule: Name
    outcome: Literal["pass", "fail", "inconclusive"]
    because: Text
    direction: Literal["better", "worse", "no difference shown"] | None = None


ExecutorRelation = Literal["own", "supplier", "third-party"]
"""How who runs a benchmark stands to the ledger that records it."""


class Executor(Part):
    """Who ran it, by role; never a user or host name."""

    relation: ExecutorRelation
    organisation: Text


STATISTICS = 2
"""Version of the statistics that runs are recorded with now: 2 has the variance between engine lives in every interval."""


class Run(Record):
    """Lands once, complete or partial; a resumed run supersedes."""

    KIND = "run"
    MEANING = (
        "protocol",
        "protocol_meaning",
        "protocol_commit",
        "executor",
        "planned",
        "status",
        "started_at",
        "finished_at",
        "environment",
        "configurations",
        "memory",
        "cells",
        "comparisons",
        "suites",
        "verdicts",
        "decision",
        "deviations",
        "evidence",
        "conditions",
        "drills",
        "statistics",
    )

    protocol: Slug
    protocol_meaning: MeaningHash
    protocol_commit: Text | None = None
    """Commit of the protocol at the start; None outside a repository."""
    executor: Executor
    planned: StrictBool
    """Whether the protocol had landed unchanged before the start."""
    status: Literal["complete", "partial", "failed", "invalid"]
    started_at: Instant
    finished_at: Instant
    duration_s: StrictFloat
    """By the monotonic clock; the two instants are wall-clock readings."""
    environment: dict[str, Scalar | float]
    configurations: dict[str, dict[str, Scalar | float | None]]
    """Effective engine configuration per arm."""
    memory: dict[str, dict[str, Measure]] = {}
    """Memory per arm, taken apart: weights, KV cache, peak use, resident peak; recorded, not recomputable from traces."""
    cells: tuple[Cell, ...]
    comparisons: tuple[Comparison, ...] = ()
    suites: tuple[SuiteResult, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    decision: Text | None = None
    deviations: tuple[Text, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    conditions: tuple[Condition, ...] = ()
    drills: tuple[DrillResult, ...] = ()
    statistics: Annotated[int, Field(ge=1)] = 1
    """Version of the statistics behind its intervals and verdicts; 1, which runs recorded before 2 was do not state, leaves out what
    differs between engine lives."""
    author: Text | None = None

    @property
    def has_older_statistics(self) -> bool:
        """Whether its intervals and verdicts are of an earlier version; pages and `verify` say so."""
        return self.statistics < STATISTICS

    def cell(self, arm: str, load: str, repeat: int | None = None) -> Cell | None:
        """Return one cell, pooled over repeats by default."""
        return next((c for c in self.cells if (c.arm, c.load, c.repeat) == (arm, load, repeat)), None)

    def is_saturated(self, load: str, *arms: str) -> bool:
        """Whether one of these arms was saturated at a load, over its repeats."""
        return any(cell.is_saturated for arm in arms if (cell := self.cell(arm, load)))

    def comparison(self, arm: str, base: str, load: str) -> Comparison | None:
        """Return the paired comparison of two arms at a load."""
        return next((c for c in self.comparisons if (c.arm, c.base, c.load) == (arm, base, load)), None)
