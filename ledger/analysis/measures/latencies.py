"""The latencies of `metrics`, for all requests of a run at once.

Per-request metrics are one column each, NaN where there is no value. Inter-token latencies and chunk gaps have
many samples a request; they are gathered per cell, block by block.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ledger.analysis.statistics.trace_columns import OUTCOMES, Bools, ChunkBlock, Floats, Ints, Traces, row_blocks

COMPLETED = OUTCOMES.index("completed")
EXACT_SAMPLES = 1 << 22
"""Pools above this hold samples as 32-bit floats: 100 million token gaps fit 400 MB, at a relative error of 6e-8."""


@dataclass(frozen=True)
class Latencies:
    """Per-request columns of a run, each computed once, in seconds; NaN stands for METRICS' `none`."""

    traces: Traces

    @cached_property
    def first_s(self) -> Floats:
        """Arrival of the first chunk; NaN without output."""
        return self._chunk_at(self.traces.chunk_offsets[:-1])

    @cached_property
    def last_s(self) -> Floats:
        """Arrival of the last chunk; NaN without output."""
        return self._chunk_at(self.traces.chunk_offsets[1:] - 1)

    def _chunk_at(self, places: Ints) -> Floats:
        column = np.full(len(self.traces), np.nan)
        has_output = np.diff(self.traces.chunk_offsets) > 0
        column[has_output] = self.traces.chunks_s[places[has_output]]
        return column

    @cached_property
    def output_tokens(self) -> Ints:
        """Delivered output tokens of each request."""
        totals = np.zeros(len(self.traces), np.int64)
        rows = np.arange(len(self.traces))
        for block in self.traces.blocks(rows):
            totals[block.part] = sums_by_row(block.tokens, block.counts)
        return totals

    @cached_property
    def ttft_s(self) -> Floats:
        """`t_1 - t_sched`."""
        return self.first_s - self.traces.scheduled_s

    @cached_property
    def service_ttft_s(self) -> Floats:
        """`t_1 - t_send`."""
        return self.first_s - self.traces.sent_s

    @cached_property
    def client_lag_s(self) -> Floats:
        """`t_send - t_sched`."""
        return self.traces.sent_s - self.traces.scheduled_s

    @cached_property
    def e2e_s(self) -> Floats:
        """`t_m - t_sched`; NaN unless completed."""
        return np.where(self.traces.outcome == COMPLETED, self.last_s - self.traces.scheduled_s, np.nan)

    @cached_property
    def tpot_s(self) -> Floats:
        """`(t_m - t_1) / (n - k_1)`; NaN below two chunks."""
        streamed = np.diff(self.traces.chunk_offsets) > 1
        column = np.full(len(self.traces), np.nan)
        first_tokens = self.traces.chunk_tokens[self.traces.chunk_offsets[:-1][streamed]]
        column[streamed] = (self.last_s - self.first_s)[streamed] / (self.output_tokens[streamed] - first_tokens)
        return column

    @cached_property
    def longest_stall_s(self) -> Floats:
        """The largest chunk gap; NaN below two chunks."""
        column = np.full(len(self.traces), np.nan)
        for block in self.traces.blocks(np.arange(len(self.traces))):
            gaps, counts = block_gaps(block)
            largest = np.full(len(counts), np.nan)
            starts = np.cumsum(counts) - counts
            if len(gaps):
                largest[counts > 0] = np.maximum.reduceat(gaps, starts[counts > 0])
            column[block.part] = largest
        return column


MANY_PER_REQUEST = ("itl", "chunk-gap")
PER_REQUEST: dict[str, Callable[[Latencies], Floats]] = {
    "ttft": lambda latencies: latencies.ttft_s,
    "service-ttft": lambda latencies: latencies.service_ttft_s,
    "client-lag": lambda latencies: latencies.client_lag_s,
    "e2e": lambda latencies: latencies.e2e_s,
    "tpot": lambda latencies: latencies.tpot_s,
    "longest-stall": lambda latencies: latencies.longest_stall_s,
}


def pool_samples(latencies: Latencies, metric: str, rows: Ints) -> Floats:
    """Return the samples of a metric in these rows, in ascending order; requests without the metric give none.

    Args:
        latencies: The run's per-request columns.
        metric: A key of `PER_REQUEST`, or `itl` or `chunk-gap`.
        rows: Places of the requests.
    """
    total = int(sample_counts(latencies, metric, rows).sum())
    values: Floats = np.empty(total, np.float64 if total <= EXACT_SAMPLES else np.float32)
    filled = 0
    for _, samples in sample_blocks(latencies, metric, rows):
        values[filled : filled + len(samples)] = samples
        filled += len(samples)
    values.sort()
    return values


def sample_blocks(latencies: Latencies, metric: str, rows: Ints) -> Iterator[tuple[slice, Floats]]:
    """Yield the samples of a metric in blocks of bounded size: which of the rows, and their samples one after the other."""
    if metric in PER_REQUEST:
        column = PER_REQUEST[metric](latencies)
        for part in row_blocks(np.ones(len(rows), np.int64)):
            samples = column[rows[part]]
            yield part, samples[~np.isnan(samples)]
        return
    for block in latencies.traces.blocks(rows):
        yield block.part, block_samples(block, token_attributed=metric == "itl")


def sample_counts(latencies: Latencies, metric: str, rows: Ints) -> Ints:
    """Return the number of samples each row gives: `n - k_1` inter-token latencies, `m - 1` chunk gaps, else 0 or 1."""
    if metric in PER_REQUEST:
        return (~np.isnan(PER_REQUEST[metric](latencies)[rows])).astype(np.int64)
    chunks = latencies.traces.chunk_counts(rows)
    if metric == "chunk-gap":
        return np.maximum(chunks - 1, 0)
    counts = np.zeros(len(rows), np.int64)
    some = chunks > 0
    first = latencies.traces.chunk_offsets[rows[some]]
    counts[some] = latencies.output_tokens[rows[some]] - latencies.traces.chunk_tokens[first]
    return counts


def block_samples(block: ChunkBlock, *, token_attributed: bool) -> Floats:
    """Return the chunk gaps of a block, or its inter-token latencies: each gap shared evenly over its tokens."""
    gaps, _ = block_gaps(block)
    if not token_attributed:
        return gaps
    tokens = block.tokens[~block.first]
    if len(tokens) == int(tokens.sum()):  # one token in each chunk
        return gaps
    return np.repeat(gaps / tokens, tokens)


def block_gaps(block: ChunkBlock) -> tuple[Floats, Ints]:
    """Return the chunk gaps of a block's rows, in seconds, and how many each row has; ValueError where time runs backwards."""
    gaps = np.diff(block.times_s, prepend=0.0)[~block.first]
    if len(gaps) and gaps.min() < 0:
        raise ValueError(f"got a chunk {-gaps.min():.6f} s before the one it follows, expected the arrivals of a request in order")
    return gaps, np.maximum(block.counts - 1, 0)


def sums_by_row(values: Ints | Bools, counts: Ints) -> Ints:
    """Return the sum over each row's entries; 0 for a row without any."""
    running = np.concatenate((np.zeros(1, np.int64), np.cumsum(values, dtype=np.int64)))
    ends = np.cumsum(counts)
    sums: Ints = running[ends] - running[ends - counts]
    return sums
