"""What one request asks of the engine: its output length, its seed, and the sampling that all share. Pure."""

import random
from typing import Any

from ledger.bench.plan.workload import Prompt
from ledger.model.records.protocol import Protocol, Sampling

SEEDS_PER_REPEAT = 1_000_000
"""Distance between the seeds of two repeats, so that a sampled repeat is a draw of its own and no copy."""
SHARED = ("top_p", "top_k", "min_p", "presence_penalty", "frequency_penalty", "repetition_penalty")
"""Settings that every request has alike, under the names that the engine has for them."""


def output_limit(protocol: Protocol, prompt: Prompt) -> int:
    """Return the most tokens that a prompt's answer may have: its own limit, else one drawn for it, else the protocol's."""
    if prompt.max_tokens is not None:
        return prompt.max_tokens
    if protocol.sampling.drawn_tokens is not None:
        least, largest = protocol.sampling.drawn_tokens
        return random.Random(f"{protocol.seed}/length/{prompt.id}").randint(least, largest)
    return protocol.sampling.max_tokens


def largest_output(protocol: Protocol) -> int:
    """Return the most tokens that a prompt without a limit of its own may be answered with."""
    return protocol.sampling.drawn_tokens[1] if protocol.sampling.drawn_tokens else protocol.sampling.max_tokens


def request_seed(protocol: Protocol, *, repeat: int, index: int) -> int | None:
    """Return the seed of a request by its place, the same on every arm and another in every repeat; None where nothing is drawn."""
    return protocol.seed + (repeat - 1) * SEEDS_PER_REPEAT + index if protocol.sampling.temperature else None


def shared_sampling(sampling: Sampling) -> dict[str, Any]:
    """Return the fields of a `GenerationRequest` that all requests of a protocol have alike; what the protocol leaves out is absent."""
    values = {name: getattr(sampling, name) for name in SHARED}
    numbers = {name: value if name == "top_k" else float(value) for name, value in values.items() if value is not None}
    limit_s = None if sampling.request_limit_s is None else float(sampling.request_limit_s)
    fixed = {"temperature": float(sampling.temperature), "ignore_eos": sampling.ignore_eos, "stop": sampling.stop, "limit_s": limit_s}
    return fixed | numbers
