"""Latencies of one request, from its trace. All in seconds; None where METRICS defines no value.

The columnar form for millions of requests is `latencies`; a property test holds the two equal.
"""

from itertools import pairwise

from ledger.model.trace import RequestTrace


def ttft_s(trace: RequestTrace) -> float | None:
    """Time to first token, in seconds: `t_1 - t_sched`; None without output."""
    return trace.chunks_s[0] - trace.scheduled_s if trace.chunks_s else None


def service_ttft_s(trace: RequestTrace) -> float | None:
    """Time to first token from the send, in seconds: `t_1 - t_send`; None without output."""
    return trace.chunks_s[0] - trace.sent_s if trace.chunks_s else None


def client_lag_s(trace: RequestTrace) -> float:
    """How late the client sent the request, in seconds: `t_send - t_sched`."""
    return trace.sent_s - trace.scheduled_s


def e2e_s(trace: RequestTrace) -> float | None:
    """End-to-end latency, in seconds: `t_m - t_sched`; None unless the request completed with output."""
    if trace.outcome != "completed" or not trace.chunks_s:
        return None
    return trace.chunks_s[-1] - trace.scheduled_s


def tpot_s(trace: RequestTrace) -> float | None:
    """Mean time per output token after the first chunk, in seconds.

    `(t_m - t_1) / (n - k_1)`; None below two chunks.
    """
    if len(trace.chunks_s) < 2:
        return None
    return (trace.chunks_s[-1] - trace.chunks_s[0]) / (trace.output_tokens - trace.chunk_tokens[0])


def chunk_gaps_s(trace: RequestTrace) -> tuple[float, ...]:
    """Gaps between chunks, in seconds: `t_j - t_(j-1)`, one per chunk after the first; empty below two chunks."""
    return tuple(later - earlier for earlier, later in pairwise(trace.chunks_s))


def itl_s(trace: RequestTrace) -> tuple[float, ...]:
    """Token-attributed inter-token latencies, in seconds: each chunk gap shared evenly over its `k_j` tokens.

    `k_j` samples of `(t_j - t_(j-1)) / k_j` for every chunk after the first; empty below two chunks.
    """
    gaps = zip(chunk_gaps_s(trace), trace.chunk_tokens[1:], strict=True)
    return tuple(gap / tokens for gap, tokens in gaps for _ in range(tokens))


def longest_stall_s(trace: RequestTrace) -> float | None:
    """The largest chunk gap of the request, in seconds; None below two chunks."""
    return max(chunk_gaps_s(trace), default=None)
