"""Sizes in a plan that cannot be meant: no engine serves them, or the load never reaches them. Pure."""

from collections.abc import Iterator

from ledger.bench.plan.engine_table import number, whole_number
from ledger.bench.plan.request_sampling import largest_output
from ledger.errors import Problem
from ledger.model.records.protocol import Load, Protocol

LEAST_KV_CACHE_BYTES = 1 << 20
"""Below this a KV cache holds not one block of the smallest model."""
LARGEST_RATE_PER_S = 10_000
"""Arrivals beyond this are closer together than one program can send."""


def size_problems(protocol: Protocol) -> list[Problem]:
    """Return everything in a plan whose size is impossible, each at its field."""
    return [
        *(problem for place, load in enumerate(protocol.loads) for problem in load_problems(protocol, load, place)),
        *arm_problems(protocol),
        *engine_problems(protocol),
    ]


def load_problems(protocol: Protocol, load: Load, place: int) -> Iterator[Problem]:
    """Yield what is wrong with one load's numbers."""
    in_flight, most = load.concurrency or 0, whole_number(protocol.engine, "max_num_seqs", 0)
    if load.requests < in_flight:
        message = f"load {load.id}: keeps {in_flight} in flight and sends {load.requests}."
        yield Problem("size", message, "Send at least as many, or lower concurrency.", field=("loads", place, "requests"))
    if most and in_flight > most and not load.queues:
        message = f"load {load.id}: keeps {in_flight} in flight, and the engine takes {most} at once (max_num_seqs)."
        remedy = "Lower concurrency, raise max_num_seqs, or set queues = true where waiting is meant."
        yield Problem("size", message, remedy, field=("loads", place, "concurrency"))
    if load.rate_per_s is not None and load.rate_per_s > LARGEST_RATE_PER_S:
        message = f"load {load.id}: {load.rate_per_s} requests per second cannot be sent by one program."
        yield Problem("size", message, f"Set rate_per_s to {LARGEST_RATE_PER_S} or less.", field=("loads", place, "rate_per_s"))


def arm_problems(protocol: Protocol) -> Iterator[Problem]:
    """Yield arms that draft more than an answer may have."""
    longest = largest_output(protocol)
    for place, arm in enumerate(protocol.arms):
        if (arm.num_speculative_tokens or 0) > longest:
            message = f"arm {arm.id}: drafts {arm.num_speculative_tokens} tokens, and no answer has more than {longest}."
            yield Problem("size", message, "Draft fewer tokens.", field=("arms", place, "num_speculative_tokens"))


def engine_problems(protocol: Protocol) -> Iterator[Problem]:
    """Yield sizes of the engine table that leave no room for a request."""
    engine = protocol.engine
    kv_cache_bytes = whole_number(engine, "kv_cache_memory_bytes", LEAST_KV_CACHE_BYTES)
    if kv_cache_bytes < LEAST_KV_CACHE_BYTES:
        message = f"engine.kv_cache_memory_bytes: {kv_cache_bytes} bytes hold no block of a KV cache."
        yield Problem("size", message, "Set it in bytes, such as 1073741824 for 1 GiB.", field=("engine", "kv_cache_memory_bytes"))
    length, output = whole_number(engine, "max_model_len", 0), largest_output(protocol)
    if 0 < length <= output:
        message = f"engine.max_model_len: {length} tokens leave no room for a prompt beside {output} of output."
        yield Problem("size", message, "Raise it, or lower max_tokens.", field=("engine", "max_model_len"))
    share = number(engine, "gpu_memory_utilization", 0.9)
    if not 0 < share <= 1:
        message = f"engine.gpu_memory_utilization: got {share:g}, expected a share above 0 and up to 1."
        yield Problem("size", message, "Set it to 0.9, or leave it out.", field=("engine", "gpu_memory_utilization"))
