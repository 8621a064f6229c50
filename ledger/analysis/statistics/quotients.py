"""Quotients of sums over requests, such as accepted over drafted tokens, with intervals by bootstrap of prompts."""

from dataclasses import dataclass

import numpy as np

from ledger.analysis.statistics.bootstrap import draws, expanded_tail, group_prompts, interval
from ledger.analysis.statistics.quantiles import needed_n
from ledger.analysis.statistics.trace_columns import Floats, Ints

FEWEST_PROMPTS = needed_n(0.5)
"""A quotient gets an interval from as many prompts as a median does."""


@dataclass(frozen=True, slots=True, eq=False)
class Quotient:
    """A numerator and a denominator summed over the requests of each prompt."""

    prompts: Ints
    """Codes, ascending."""
    numerators: Floats
    denominators: Floats

    @classmethod
    def of(cls, prompt_codes: Ints, numerators: Floats | Ints, denominators: Floats | Ints) -> "Quotient":
        """Return the quotient of sums over requests, given by their prompts."""
        prompts, place = np.unique(prompt_codes, return_inverse=True)
        above, below = (
            np.bincount(place, weights=side.astype(np.float64), minlength=len(prompts)).astype(np.float64)  # counts when there are no rows
            for side in (numerators, denominators)
        )
        return cls(prompts, above, below)

    @property
    def n(self) -> int:
        """Distinct prompts."""
        return len(self.prompts)

    @property
    def value(self) -> float | None:
        """Numerator over denominator; None where the denominator is 0."""
        below = float(self.denominators.sum())
        return float(self.numerators.sum()) / below if below else None

    def among(self, prompts: Ints) -> "Quotient":
        """Return the quotient over these prompts only."""
        kept = np.isin(self.prompts, prompts)
        return Quotient(self.prompts[kept], self.numerators[kept], self.denominators[kept])

    def resample(self, seed: int) -> Floats:
        """Return the quotient of each resample of the prompts; NaN where a resample's denominator is 0."""
        group_of, group_count = group_prompts(self.n)
        weights = draws(group_count, seed)
        above, below = (weights @ np.bincount(group_of, weights=side) for side in (self.numerators, self.denominators))
        quotients: Floats = np.divide(above, below, out=np.full(len(weights), np.nan), where=below > 0)
        return quotients

    def interval(self, seed: int) -> tuple[float, float] | None:
        """Return the 95 % interval; None below 6 prompts. Resamples without a denominator are left out."""
        if self.n < FEWEST_PROMPTS or self.value is None:
            return None
        resampled = self.resample(seed)
        tail = expanded_tail(self.n)
        return interval(resampled[~np.isnan(resampled)], (tail, tail))
