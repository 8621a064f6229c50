"""Request traces and protocols with every field that a test does not speak of filled in."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from ledger.analysis.cells.cell_rows import CellRows
from ledger.analysis.measures.latencies import Latencies
from ledger.analysis.statistics.trace_columns import Traces
from ledger.model.records.protocol import Arm, Decision, Load, Model, Protocol, Rule, Sampling, Telemetry
from ledger.model.trace import RequestTrace

CLOSED = Load(id="c8", concurrency=8, requests=100)


def request(prompt: str = "p0", **fields: Any) -> RequestTrace:
    """Return a completed request; by default one chunk of one token, 0.1 s after it was scheduled and sent."""
    filled: dict[str, Any] = {
        "arm": "base",
        "load": "c8",
        "repeat": 1,
        "phase": "measured",
        "prompt_id": prompt,
        "index": 0,
        "scheduled_s": 0.0,
        "sent_s": fields.get("scheduled_s", 0.0),
        "chunks_s": (fields.get("scheduled_s", 0.0) + 0.1,),
        "chunk_tokens": (1,) * len(fields.get("chunks_s", (0,))),
        "outcome": "completed",
        "finish_reason": "length",
        "error": None,
        "prompt_tokens": None,
        "cached_tokens": None,
        "steps_drafted": None,
        "steps_accepted": None,
        "output_sha256": None,
        "output_text": None,
        "output_token_ids": None,
    }
    return RequestTrace(**(filled | fields))


def failed(prompt: str = "p0", **fields: Any) -> RequestTrace:
    """Return a request that failed without output."""
    return request(
        prompt, **({"outcome": "failed", "chunks_s": (), "chunk_tokens": (), "error": "engine died", "finish_reason": None} | fields)
    )


def latencies_of(requests: Sequence[RequestTrace]) -> Latencies:
    """Return the columns of requests."""
    return Latencies(Traces.from_requests(requests))


def cell_of(requests: Sequence[RequestTrace], load: Load = CLOSED, arm: str = "base") -> CellRows:
    """Return the pooled cell of an arm among these requests."""
    return CellRows.of(latencies_of(requests), arm, load)


def ttfts(values_s: Sequence[float], **fields: Any) -> list[RequestTrace]:
    """Return one request of one token for each time to first token, each with its own prompt."""
    return [request(f"p{i}", index=i, chunks_s=(value,), **fields) for i, value in enumerate(values_s)]


def protocol(*, arms: Sequence[Arm] = (), rules: Sequence[Rule] = (), decision: Decision | None = None, **fields: Any) -> Protocol:
    """Return a protocol over load `c8` with arms `base`, `ngram` and `base-2`, which repeats `base`."""
    three = (Arm(id="base"), Arm(id="ngram", method="ngram", num_speculative_tokens=4), Arm(id="base-2", repeats_of="base"))
    filled: dict[str, Any] = {
        "id": "demo",
        "question": "Is it faster?",
        "model": Model(name="demo", source="none", licence="none"),
        "engine": {},
        "arms": tuple(arms) or three,
        "loads": (CLOSED,),
        "sampling": Sampling(temperature=Decimal(0), max_tokens=8),
        "workload": "prompts",
        "repeats": 2,
        "seed": 1,
        "warm_up_requests": 0,
        "rules": tuple(rules),
        "decision": decision,
        "telemetry": Telemetry(prompts="none", outputs="none", allowed_by="nobody"),
    }
    return Protocol(**(filled | fields))


def rule(metric: str, bound: str = "at-most", value: str = "0.9", **fields: Any) -> Rule:
    """Return a rule on a reference into the protocol's own run."""
    filled: dict[str, Any] = {"id": "faster", "question": "?", "direction": "lower-is-better", "bound": bound, "value": value}
    return Rule(**(filled | {"metric": f"run:@this#{metric}"} | fields))


Simulated = Callable[[str, int, int], Sequence[float]]


def simulated(
    chance: np.random.Generator, *, arms: dict[str, float], prompts: int, repeats: int, noise: float = 0.1, spread: float = 0.3
) -> list[RequestTrace]:
    """Return requests of four tokens whose pace is decided by the prompt, then by noise.

    Args:
        chance: Source of randomness.
        arms: Arm to its slow-down: the factor on every gap.
        prompts: How many.
        repeats: How many for each arm.
        noise: Standard deviation of the log of a request's pace.
        spread: The same between prompts.
    """
    pace = np.exp(spread * chance.standard_normal(prompts))
    found = []
    for arm, slow_down in arms.items():
        for repeat in range(1, repeats + 1):
            gaps = 0.01 * slow_down * pace * np.exp(noise * chance.standard_normal(prompts))
            for i, gap in enumerate(gaps.tolist()):
                times = tuple(i + gap * j for j in (5, 6, 7, 8))
                found.append(
                    request(f"p{i}", arm=arm, repeat=repeat, index=i, scheduled_s=float(i), chunks_s=times, chunk_tokens=(1, 1, 1, 1))
                )
    return found
