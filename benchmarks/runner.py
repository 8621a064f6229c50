"""The runner beside a bare AsyncLLM loop: one engine, the same prompts and settings, interleaved passes."""

import asyncio
import statistics
from collections.abc import Sequence

from benchmarks.figures import Figure
from benchmarks.overhead import Overhead, overhead
from benchmarks.passes import CONCURRENCY, REQUESTS, TOKENS, Bench, Pass, interval, one_pass, running

ROUNDS = 9
SIDES = ("bare", "recorded", "bare again")
"""The bare loop runs twice a round, and its ratio to itself shows what the machine's noise alone does."""
LEAST_THROUGHPUT, MOST_APART = 0.99, 0.02
MEASURED = {"output throughput": "tokens_per_s", "median TTFT": "ttft_s", "median TPOT": "tpot_s", "CPU of this process": "cpu_s_per_token"}
Round = dict[str, Pass]


def main() -> list[Figure]:
    """Print and return the ratios of the runner to the bare loop, and its cost on an engine that takes no time."""
    added = overhead()
    print(f"{REQUESTS} requests of {TOKENS} tokens at concurrency {CONCURRENCY}, {ROUNDS} rounds", flush=True)
    rounds = asyncio.run(_rounds())
    return [*ratios(rounds), _share(added, statistics.median(one["bare"].tpot_s for one in rounds))]


async def _rounds() -> list[Round]:
    async with running() as bench:
        return [await _round(bench, number) for number in range(ROUNDS)]


async def _round(bench: Bench, number: int) -> Round:
    start = number % len(SIDES)
    found = {side: await one_pass(bench, side) for side in SIDES[start:] + SIDES[:start]}
    told = (f"{side} {one.tokens_per_s:.1f} tok/s, {(one.cpu_s_per_token or 0) * 1e6:.0f} us cpu/tok" for side, one in found.items())
    print(f"  round {number + 1}: " + "; ".join(told), flush=True)
    return found


def ratios(rounds: Sequence[Round]) -> list[Figure]:
    """Return the median ratio of every measured quantity over the rounds, with its interval and the bare loop's to itself."""
    figures = []
    for what, name in MEASURED.items():
        ours, noise = ([getattr(one[side], name) / getattr(one["bare"], name) for one in rounds] for side in SIDES[1:])
        found = f"{_with_interval(ours)}; the bare loop to itself {_with_interval(noise)}"
        bar, met = held(name, statistics.median(ours))
        figures.append(Figure(f"runner / bare loop: {what}", found, bar, met))
    return figures


def held(name: str, ratio: float) -> tuple[str, bool | None]:
    """Return the bar of a measured quantity, and whether a ratio meets it; processor time has none."""
    if name == "tokens_per_s":
        return f"at least {LEAST_THROUGHPUT}", ratio >= LEAST_THROUGHPUT
    if name in ("ttft_s", "tpot_s"):
        return f"within {MOST_APART:.0%}", abs(ratio - 1) <= MOST_APART
    return "none", None


def _with_interval(values: Sequence[float]) -> str:
    low, high = interval(values)
    return f"{statistics.median(values):.3f} ({low:.3f} to {high:.3f})"


def _share(added: Overhead, step_s: float) -> Figure:
    """Return the cost of a step's chunks against the step itself: every request in flight delivers one chunk in it."""
    share = CONCURRENCY * added.per_chunk_s / step_s
    found = f"{added.per_chunk_s * 1e6:.2f} us a chunk, {added.per_request_s * 1e6:.0f} us a request of {TOKENS} chunks; "
    found += f"{share:.3%} of a decode step of {step_s * 1e3:.1f} ms with {CONCURRENCY} requests"
    return Figure(
        "runner's own processor time, engine without a wait", found, f"at most {1 - LEAST_THROUGHPUT:.0%} of a step", share <= 0.01
    )
