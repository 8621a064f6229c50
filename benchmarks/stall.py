"""How long the event loop serves nobody while requests that ended together are written to the journal."""

import asyncio
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure
from ledger.bench.journal.journal import NAME, Journal
from ledger.bench.run.deferred_recorder import DeferredRecorder
from ledger.model.trace import RequestTrace

REQUESTS, TOKENS = 256, 1_000
MOST_SHARE = 0.05
"""Of the stall that recording all of them in one go causes; a share, since both grow with the machine's load."""


def trace(index: int) -> RequestTrace:
    """Return a finished request of a thousand tokens, each with an instant of its own."""
    draw = random.Random(index)
    instants = tuple(draw.random() + number * 0.01 for number in range(TOKENS))
    return RequestTrace(
        arm="base",
        load="c256",
        repeat=1,
        phase="measured",
        prompt_id=f"p{index}",
        index=index,
        scheduled_s=0.0,
        sent_s=0.0,
        chunks_s=instants,
        chunk_tokens=(1,) * TOKENS,
        outcome="completed",
        finish_reason="length",
        error=None,
        prompt_tokens=200,
        cached_tokens=0,
        steps_drafted=None,
        steps_accepted=None,
        output_sha256="0" * 64,
        output_text=" word" * TOKENS,
        output_token_ids=tuple(draw.randrange(50_000) for _ in range(TOKENS)),
    )


def record(journal: Journal, found: RequestTrace) -> None:
    """Write a request as a run does."""
    journal.append("request", t=0.0, **{name: getattr(found, name) for name in RequestTrace.__slots__})


def stalls_s(traces: list[RequestTrace], folder: Path) -> tuple[float, float]:
    """Return the longest time between two turns of the loop, recorded one request a turn, and recorded all in one."""

    async def longest(begin: Callable[[], object], *, until: Callable[[], bool]) -> float:
        begin()
        worst_s, before_s = 0.0, time.monotonic()
        while not until():
            await asyncio.sleep(0)
            now_s = time.monotonic()
            worst_s, before_s = max(worst_s, now_s - before_s), now_s
        return worst_s

    async def both() -> tuple[float, float]:
        with Journal.create(folder / "turns" / NAME) as journal:
            written: list[int] = []

            def note(found: RequestTrace) -> None:
                record(journal, found)
                written.append(found.index)

            recorder = DeferredRecorder(note, time.monotonic)

            def defer_all() -> None:
                for one in traces:
                    recorder.defer(partial(replace, one))

            by_turns_s = await longest(defer_all, until=lambda: len(written) == len(traces))
        with Journal.create(folder / "at-once" / NAME) as journal:
            done: list[bool] = []

            def record_all() -> None:
                for one in traces:
                    record(journal, one)
                done.append(True)

            at_once_s = await longest(lambda: asyncio.get_running_loop().call_soon(record_all), until=lambda: bool(done))
        return by_turns_s, at_once_s

    return asyncio.run(both())


def main() -> list[Figure]:
    """Return the stall with one request recorded a turn, and with all of them in one go, as releases before did."""
    traces = [trace(index) for index in range(REQUESTS)]
    with tempfile.TemporaryDirectory() as folder:
        by_turns_s, at_once_s = stalls_s(traces, Path(folder))
    what = f"longest stall of the loop, {REQUESTS} requests of {TOKENS:,} tokens ending together"
    found = f"{by_turns_s * 1000:.1f} ms, all in one go {at_once_s * 1000:.0f} ms"
    return [Figure(what, found, f"{MOST_SHARE:.0%} of it", by_turns_s <= MOST_SHARE * at_once_s)]


if __name__ == "__main__":
    for figure in main():
        print(f"{figure.what}: {figure.found}")
