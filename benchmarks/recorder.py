"""The memory of a run of many requests on an engine without a wait: it may not grow with what has finished."""

import gc
import sys
import tempfile
import tracemalloc
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.fake import FakeBackend, plan, prompts
from benchmarks.figures import Figure
from benchmarks.timing import status_bytes
from ledger.bench.run.progress import Progress
from ledger.bench.run.run_request import RunRequest
from ledger.bench.run.runner import run_protocol

REQUESTS, CHUNKS, EVERY = 10_000, 20, 1_000
MOST_SHARE, MOST_BYTES = 0.01, 1 << 20


@dataclass(slots=True)
class Watch:
    """Reads this process's memory as requests end; implements the runner's `Report`."""

    every: int
    until: int
    """The cell's last request; the second cell is watched too, but starts an engine of its own."""
    resident: dict[int, int] = field(default_factory=dict)
    """Requests that had ended, to the resident bytes after collecting garbage."""
    traced: dict[int, int] = field(default_factory=dict)
    """The same, to the bytes of Python objects; empty unless tracemalloc runs."""

    def __call__(self, progress: Progress) -> None:
        """Read at every so many requests, once each."""
        done = progress.requests_done
        if done and done % self.every == 0 and done <= self.until and done not in self.resident:
            gc.collect()
            self.resident[done] = status_bytes("VmRSS")
            if tracemalloc.is_tracing():
                self.traced[done] = tracemalloc.get_traced_memory()[0]


def watched(folder: Path, *, requests: int, chunks: int, every: int, backend: FakeBackend | None = None) -> Watch:
    """Return what the memory did while a run of two such cells ran in a folder."""
    watch = Watch(every, 2 * requests)
    request = RunRequest(
        protocol=plan(requests=requests, chunks=chunks),
        prompts=prompts(64),
        model_path=folder,
        out_dir=folder / "run",
        backend_factory=lambda *_: backend or FakeBackend(),
        progress=watch,
        parquet=False,
    )
    run_protocol(request)
    return watch


def main() -> list[Figure]:
    """Print and return the growth from 1,000 to 10,000 requests of a cell, and the peak of reading the run back."""
    with tempfile.TemporaryDirectory() as folder:
        watch = watched(Path(folder), requests=REQUESTS, chunks=CHUNKS, every=EVERY)
        journal = Path(folder) / "run" / "journal.jsonl"
        size = journal.stat().st_size
    for done, held in watch.resident.items():
        print(f"  {done:>7,} requests: {held / 2**20:8.2f} MiB resident", flush=True)
    first, last = (watch.resident[done] for done in (EVERY, REQUESTS))
    grown = last - first
    found = f"{grown / 1024:+,.0f} KiB ({grown / first:+.2%}), {grown / (REQUESTS - EVERY):+.1f} bytes a request"
    peak, before = status_bytes("VmHWM"), watch.resident[2 * REQUESTS]
    back = f"+{(peak - before) / 2**20:,.0f} MiB for {2 * REQUESTS:,} requests, a journal of {size / 2**20:.0f} MiB"
    return [
        Figure(f"recorder memory from {EVERY:,} to {REQUESTS:,} requests of {CHUNKS} chunks", found, "1 % or 1 MiB", is_flat(first, last)),
        Figure("reading such a run back at its end", back),
    ]


def is_flat(first: int, last: int) -> bool:
    """Whether memory grew by less than 1 % or 1 MiB, in bytes."""
    return last - first < max(MOST_SHARE * first, MOST_BYTES)


if __name__ == "__main__":
    tracemalloc.start()
    main()
    for line in tracemalloc.take_snapshot().statistics("lineno")[:10]:
        print(line, file=sys.stderr)
