"""The raw trace of a request: one monotonic clock, every chunk, every speculation step.

Seconds throughout; instants count from the start of the run (METRICS, Per request).
"""

from dataclasses import dataclass
from typing import Literal

Outcome = Literal["completed", "failed", "aborted", "empty", "ended-empty"]
"""`ended-empty`: the answer ended by itself before its first token, which is an answer; `empty`: nothing came and nothing says why."""
Phase = Literal["warm-up", "ramp", "measured", "drill"]
"""Only measured requests count in a cell; a drill's have the drill as load and repeat 1."""


@dataclass(frozen=True, slots=True)
class RequestTrace:
    """What happened to one request; `chunks_s` and `chunk_tokens` have one entry per non-empty output chunk."""

    arm: str
    load: str
    repeat: int
    """Counts from 1."""
    phase: Phase
    prompt_id: str
    index: int
    """Place of the request in its cell, from 0."""
    scheduled_s: float
    """When the load plan wanted it sent: an arrival, or the instant its slot fell free."""
    sent_s: float
    chunks_s: tuple[float, ...]
    chunk_tokens: tuple[int, ...]
    outcome: Outcome
    finish_reason: str | None
    """The engine's word: `stop`, `length`, `abort`."""
    error: str | None
    prompt_tokens: int | None
    cached_tokens: int | None
    """Prompt tokens answered from the prefix cache; None where the engine does not say."""
    steps_drafted: tuple[int, ...] | None
    """Tokens drafted at each decode step, 0 for a step without a draft; None where not recorded."""
    steps_accepted: tuple[int, ...] | None
    output_sha256: str | None
    output_text: str | None
    """Kept only where the telemetry policy says `full`."""
    output_token_ids: tuple[int, ...] | None

    @property
    def output_tokens(self) -> int:
        """Delivered output tokens."""
        return sum(self.chunk_tokens)
