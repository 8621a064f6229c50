"""Quotients of sums over requests, such as accepted over drafted tokens, with intervals from their prompts.

A quotient without a bound, such as tokens per step, is bootstrapped. A share lies between 0 and 1, and a bootstrap
cannot tell a share of 0 from one too small to have been seen; `share_interval` can.
"""

from dataclasses import dataclass

import numpy as np

from ledger.analysis.statistics.beta import clopper_pearson
from ledger.analysis.statistics.bootstrap import RESAMPLES, draws, expanded_tail, group_prompts, interval
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

    def resample(self, seed: int, resamples: int = RESAMPLES) -> Floats:
        """Return the quotient of each resample of the prompts; NaN where a resample's denominator is 0."""
        group_of, group_count = group_prompts(self.n)
        weights = draws(group_count, seed)[:resamples]
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

    @property
    def prompts_with_any(self) -> int:
        """Prompts with an event: those whose numerator is above 0."""
        return int((self.numerators > 0).sum())

    @property
    def is_bounded_by_prompts(self) -> bool:
        """Whether an end of `share_interval` bounds the share of prompts, since too few of them have, or lack, any event."""
        complete = int((self.numerators == self.denominators)[self.denominators > 0].sum())
        asked = int((self.denominators > 0).sum())
        return self.prompts_with_any == complete or min(self.prompts_with_any, asked - complete) < FEWEST_PROMPTS

    def share_interval(self, seed: int) -> tuple[float, float] | None:
        """Return the 95 % interval of a share, whose numerators are parts of their denominators; None where it is undefined.

        What is counted in one prompt stands or falls together. So where every prompt is all or nothing, the interval is
        Clopper and Pearson's on distinct prompts, at every count. Where prompts have parts, it is bootstrapped, but for
        what too few prompts show to be resampled: with fewer than 6 that have any event, the upper end is Clopper and
        Pearson's for the share of prompts with one, each counted once; with fewer than 6 that lack any, so is the lower.
        Below 6 prompts with parts there is none.
        """
        asked = self.denominators > 0
        n, with_any = int(asked.sum()), self.prompts_with_any
        complete = int((self.numerators == self.denominators)[asked].sum())
        if self.value is None or (with_any != complete and n < FEWEST_PROMPTS):
            return None
        if with_any == complete:
            return clopper_pearson(complete, n)
        resampled = self.resample(seed)
        tail = expanded_tail(self.n)
        low, high = interval(resampled[~np.isnan(resampled)], (tail, tail))
        if with_any < FEWEST_PROMPTS:
            high = max(clopper_pearson(with_any, n)[1], self.value)
        if n - complete < FEWEST_PROMPTS:
            low = min(1 - clopper_pearson(n - complete, n)[1], self.value)
        return low, high
