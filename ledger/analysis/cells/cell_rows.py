"""The requests of one cell, and the samples of its latencies."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ledger.analysis.measures.latencies import Latencies
from ledger.analysis.measures.replay import NO_LIMITS, Limits
from ledger.analysis.measures.samples import Sample, sample
from ledger.analysis.measures.saturation import last_sign_s
from ledger.analysis.statistics.bootstrap import RESAMPLES
from ledger.analysis.statistics.lives import LIFE_RESAMPLES
from ledger.analysis.statistics.quotients import Quotient
from ledger.analysis.statistics.trace_columns import Ints
from ledger.model.records.protocol import Load
from ledger.model.values.metrics import LATENCIES

Samples = Mapping[str, Sample | None]
"""Latency to its sample; None where no request has it."""


@dataclass(frozen=True, slots=True, eq=False)
class CellRows:
    """The requests of one cell and how they were sent."""

    latencies: Latencies
    arm: str
    load: Load
    repeat: int | None
    """None pools the repeats."""
    rows: Ints
    limits_s: Limits = field(default_factory=lambda: NO_LIMITS)  # dataclasses take a mapping proxy for mutable before Python 3.12
    """Goodput limits; empty leaves goodput out."""

    @classmethod
    def of(cls, latencies: Latencies, arm: str, load: Load, *, repeat: int | None = None, limits_s: Limits = NO_LIMITS) -> "CellRows":
        """Return the measured requests of an arm and load, and of one repeat where asked."""
        return cls(latencies, arm, load, repeat, latencies.traces.rows(arm, load.id, repeat), limits_s)

    @property
    def prompts(self) -> Ints:
        """Prompt code of each request."""
        return self.latencies.traces.prompt.codes[self.rows]

    def by_repeat(self) -> list[Ints]:
        """Return the rows of each repeat; instants of different repeats are never subtracted from each other."""
        repeats = self.latencies.traces.repeat[self.rows]
        return [self.rows[repeats == repeat] for repeat in np.unique(repeats)]

    def repeats(self) -> list[int]:
        """Return the repeats that have requests, in the order of `by_repeat`."""
        return self.latencies.traces.repeats(self.rows)

    def one_repeat(self, repeat: int) -> "CellRows":
        """Return the requests of one repeat."""
        return replace(self, repeat=repeat, rows=self.rows[self.latencies.traces.repeat[self.rows] == repeat])

    def samples(self, seed: int) -> dict[str, Sample | None]:
        """Return the sample of every latency: a pooled cell's resampled for comparisons, a repeat's for the variance between lives."""
        resamples = RESAMPLES if self.repeat is None else LIFE_RESAMPLES
        samples = {m: sample(self.latencies, m, self.rows, seed=seed, resamples=resamples) for m in LATENCIES if m != "chunk-gap"}
        same = self.has_single_tokens
        return samples | {
            "chunk-gap": samples["itl"] if same else sample(self.latencies, "chunk-gap", self.rows, seed=seed, resamples=resamples)
        }

    def tokens_over_slot_time(self) -> Quotient:
        """Return delivered tokens over the seconds that requests held their slots: what a steady closed loop's throughput varies with."""
        held_s = last_sign_s(self.latencies, self.rows) - self.latencies.traces.sent_s[self.rows]
        return Quotient.of(self.prompts, self.latencies.output_tokens[self.rows], held_s)

    @property
    def has_single_tokens(self) -> bool:
        """Whether every chunk carried one token, so that chunk gaps and inter-token latencies are the same numbers."""
        return bool(np.array_equal(self.latencies.output_tokens[self.rows], self.latencies.traces.chunk_counts(self.rows)))
