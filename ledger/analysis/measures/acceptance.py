"""How many drafted tokens the target accepted: counts over decode steps, never mixed with latency."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ledger.analysis.measures.latencies import Latencies, sums_by_row
from ledger.analysis.statistics.trace_columns import Bools, Ints, Traces, flat_places, row_blocks

NOT_RECORDED = "not recorded"
NO_DRAFTS = "undefined (0 drafts)"
NO_STEPS = "undefined (0 decode steps)"


@dataclass(frozen=True, slots=True, eq=False)
class RequestCounts:
    """Sums over the decode steps of each request whose steps were recorded; arrays of equal length."""

    rows: Ints
    """Places of those requests in the traces."""
    steps: Ints
    """Decode steps, those without a draft counted."""
    draft_steps: Ints
    drafted: Ints
    accepted: Ints
    decoded: Ints
    """Delivered tokens less the first, which the prefill yields."""
    drafted_at: Ints
    """Shape (requests, positions): steps that drafted at least i tokens, i from 1."""
    accepted_at: Ints
    """Shape (requests, positions): steps that accepted at least i tokens."""

    @property
    def produced(self) -> Ints:
        """Tokens that the steps produced: those accepted, and one of the target's own at each."""
        return self.accepted + self.steps


def request_counts(latencies: Latencies, rows: Ints) -> RequestCounts:
    """Return the step counts of the requests among these rows whose steps were recorded."""
    traces = latencies.traces
    rows = rows[traces.drafted.recorded[rows] & traces.accepted.recorded[rows]]
    positions = _positions(traces, rows)
    steps = traces.drafted.offsets[rows + 1] - traces.drafted.offsets[rows]
    sums = np.zeros((3 + 2 * positions, len(rows)), np.int64)
    for part in row_blocks(steps):
        places, counts = flat_places(traces.drafted.offsets, rows[part])
        drafted, accepted = traces.drafted.values[places], traces.accepted.values[places]
        columns: list[Ints | Bools] = [drafted > 0, drafted, accepted]
        columns += [side >= i for side in (drafted, accepted) for i in range(1, positions + 1)]
        sums[:, part] = [sums_by_row(column, counts) for column in columns]
    decoded = np.maximum(latencies.output_tokens[rows] - 1, 0)
    drafted_at, accepted_at = sums[3 : 3 + positions].T, sums[3 + positions :].T
    return RequestCounts(rows, steps, sums[0], sums[1], sums[2], decoded, drafted_at, accepted_at)


def _positions(traces: Traces, rows: Ints) -> int:
    largest = 0
    for part in row_blocks(traces.drafted.offsets[rows + 1] - traces.drafted.offsets[rows]):
        places, _ = flat_places(traces.drafted.offsets, rows[part])
        largest = max(largest, int(traces.drafted.values[places].max(initial=0)))
    return largest


@dataclass(frozen=True)
class Acceptance:
    """The acceptance of one cell. Each share is a pair of sums, so that 0 accepted and 0 drafted stay apart."""

    counts: RequestCounts

    @property
    def is_recorded(self) -> bool:
        """Whether any request carried its decode steps."""
        return len(self.counts.rows) > 0

    @cached_property
    def drafted(self) -> int:
        """Tokens drafted."""
        return int(self.counts.drafted.sum())

    @cached_property
    def accepted(self) -> int:
        """Drafted tokens that the target accepted."""
        return int(self.counts.accepted.sum())

    @cached_property
    def not_delivered(self) -> int:
        """Tokens the steps produced beyond those delivered, cut off by a stop or the length limit."""
        return int(np.maximum(self.counts.produced - self.counts.decoded, 0).sum())

    @cached_property
    def unexplained_requests(self) -> int:
        """Requests that delivered more tokens than their recorded steps can have produced: steps are missing there."""
        return int((self.counts.decoded > self.counts.produced).sum())

    def quotients(self) -> dict[str, tuple[Ints, Ints, str]]:
        """Return each share as numerators and denominators by request, and the reason where the denominators sum to 0.

        `rate`: accepted / drafted. `mean-accepted`: accepted / steps with a draft. `tokens-per-step`: tokens
        produced / all decode steps, those without a draft counted. `delivered-per-step`: the same of tokens delivered, which
        are fewer by what a stop or the length limit cut off.
        `position-i`: steps that accepted at least i tokens / steps that drafted at least i.
        """
        counts = self.counts
        shares = {
            "rate": (counts.accepted, counts.drafted, NO_DRAFTS),
            "mean-accepted": (counts.accepted, counts.draft_steps, NO_DRAFTS),
            "tokens-per-step": (counts.produced, counts.steps, NO_STEPS),
            "delivered-per-step": (np.minimum(counts.decoded, counts.produced), counts.steps, NO_STEPS),
        }
        for i in range(counts.drafted_at.shape[1]):
            shares[f"position-{i + 1}"] = (counts.accepted_at[:, i], counts.drafted_at[:, i], NO_DRAFTS)
        return shares

    def quotient(self, name: str) -> float | None:
        """Return one of `quotients` as a number; None where not recorded or undefined."""
        numerators, denominators, _ = self.quotients()[name]
        total = int(denominators.sum())
        return int(numerators.sum()) / total if total else None
