"""A run of a million made-up requests: its trace file read and summarised, in a process of its own.

`python -m benchmarks.aggregation KIND FILE` measures one file; the parent writes it first, so that the peak is the reader's own.
"""

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.figures import Figure
from benchmarks.timing import ROOT, status_bytes
from ledger.model.records.protocol import Arm, Load, Model, Protocol, Sampling, Telemetry

REQUESTS, TOKENS = 1_000_000, 100
ARMS, REPEATS, CONCURRENCY, PROMPTS = 2, 5, 50, 1_000
MOST_S, MOST_BYTES = 60.0, 2 << 30
KINDS = {"plain": "100 chunks of 1 token", "steps": "chunks of 1 to 5 tokens, decode steps recorded", "ids": "token ids kept too"}


@dataclass(frozen=True, slots=True)
class Cost:
    """What one step took of this process."""

    wall_s: float
    cpu_s: float
    peak_bytes: int
    """Peak resident size since the process began."""


def main() -> list[Figure]:
    """Print and return what each kind of run costs; the bar is that of the plain one, which has the most chunks."""
    figures = []
    for kind, words in KINDS.items():
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "traces.parquet"
            write(file, kind)
            print(f"{kind}: {words}; {REQUESTS:,} requests of {TOKENS} tokens, a file of {file.stat().st_size >> 20:,} MiB", flush=True)
            figures.append(_figure(words, measured(file, kind)))
    return figures


def _figure(words: str, costs: dict[str, Cost]) -> Figure:
    for name, cost in costs.items():
        print(f"  {name:<10}{cost.wall_s:8.1f} s wall{cost.cpu_s:8.1f} s cpu   peak so far {cost.peak_bytes / 2**20:,.0f} MiB", flush=True)
    last, whole_s = costs["summarise"], sum(cost.wall_s for cost in costs.values())
    found = f"{whole_s:.1f} s ({costs['summarise'].wall_s:.1f} s after reading), {last.peak_bytes / 2**30:.2f} GiB"
    met = whole_s <= MOST_S and last.peak_bytes <= MOST_BYTES
    return Figure(f"aggregation of {REQUESTS:,} x {TOKENS}, {words}", found, f"{MOST_S:.0f} s and 2 GiB", met)


def measured(file: Path, kind: str) -> dict[str, Cost]:
    """Return what reading and summarising a file cost, each step in turn, in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.aggregation", kind, str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {name: Cost(**cost) for name, cost in json.loads(done.stdout).items()}


def protocol(kind: str) -> Protocol:
    """Return the plan of the made-up run."""
    second = Arm(id="again", repeats_of="base") if kind == "plain" else Arm(id="ngram", method="ngram", num_speculative_tokens=4)
    return Protocol(
        id="made-up",
        question="How long does the summary take?",
        model=Model(name="none", source="none", licence="none"),
        engine={},
        arms=(Arm(id="base"), second),
        loads=(Load(id="c50", concurrency=CONCURRENCY, requests=REQUESTS // ARMS // REPEATS),),
        sampling=Sampling(temperature=Decimal(0), max_tokens=TOKENS),
        workload="none",
        repeats=REPEATS,
        seed=1,
        warm_up_requests=0,
        telemetry=Telemetry(prompts="none", outputs="full" if kind == "ids" else "hash", allowed_by="nobody"),
    )


def write(file: Path, kind: str) -> None:
    """Write a run's trace file, one arm and repeat after the other."""
    from pyarrow import parquet

    from ledger.bench.journal.parquet import trace_schema

    plan = protocol(kind)
    chance = np.random.default_rng(1)
    with parquet.ParquetWriter(file, trace_schema(), compression="zstd", write_statistics=False) as writer:
        for repeat in range(1, REPEATS + 1):
            for arm in plan.arms:
                writer.write_table(cell_table(chance, plan, arm, repeat=repeat, kind=kind))


def cell_table(chance: np.random.Generator, plan: Protocol, arm: Arm, *, repeat: int, kind: str) -> Any:
    """Return one cell of the run: slots that send their next request when the last one ends."""
    import pyarrow as pa

    from ledger.bench.journal.parquet import trace_schema

    load = plan.loads[0]
    count = load.requests
    chunk_tokens, chunks = chunked(chance, count, varied=kind != "plain" and arm.method is not None)
    gaps = 0.01 * np.exp(0.3 * chance.standard_normal(len(chunk_tokens)))
    offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(chunks)))
    spent = np.add.reduceat(gaps, offsets[:-1])
    by_slot = np.cumsum(spent.reshape(-1, CONCURRENCY), axis=0).ravel()
    sent = by_slot - spent + 10_000.0 * repeat
    running = np.cumsum(gaps)
    times = running - np.repeat(running[offsets[:-1]] - gaps[offsets[:-1]] - sent, chunks)
    prompts = np.arange(count) % PROMPTS
    outputs = [f"{prompt:064x}" for prompt in prompts * 10 + chance.integers(0, 2, count)]
    columns: dict[str, Any] = {
        "arm": [arm.id] * count,
        "load": [load.id] * count,
        "repeat": np.full(count, repeat, np.int32),
        "phase": ["measured"] * count,
        "prompt_id": [f"p{prompt}" for prompt in prompts],
        "index": np.arange(count, dtype=np.int32),
        "scheduled_s": sent,
        "sent_s": sent,
        "chunks_s": pa.ListArray.from_arrays(offsets.astype(np.int32), times),
        "chunk_tokens": pa.ListArray.from_arrays(offsets.astype(np.int32), chunk_tokens),
        "outcome": ["completed"] * count,
        "finish_reason": ["length"] * count,
        "prompt_tokens": np.full(count, 200, np.int32),
        "cached_tokens": np.zeros(count, np.int32),
        "output_sha256": outputs,
    }
    if kind != "plain" and arm.method is not None:
        columns |= steps(chunk_tokens, chunks)
    if kind == "ids":
        ids = chance.integers(0, 50_000, TOKENS * count, dtype=np.int32)
        columns["output_token_ids"] = pa.ListArray.from_arrays(np.arange(0, TOKENS * count + 1, TOKENS, dtype=np.int32), ids)
    schema = trace_schema()
    arrays = [pa.nulls(count, field.type) if field.name not in columns else _array(columns[field.name], field.type) for field in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def _array(column: Any, kind: Any) -> Any:
    import pyarrow as pa

    return column if isinstance(column, pa.Array) else pa.array(column, kind)


def chunked(chance: np.random.Generator, count: int, *, varied: bool) -> tuple[Any, Any]:
    """Return the tokens of every chunk, and the chunks of each request, which sum to its tokens."""
    if not varied:
        return np.ones(count * TOKENS, np.int32), np.full(count, TOKENS, np.int64)
    # the first token stands alone; then chunks of 1 to 5 until the tokens are used up
    drawn = np.concatenate((np.ones((count, 1), np.int64), chance.integers(1, 6, (count, TOKENS - 1))), axis=1)
    before = np.cumsum(drawn, axis=1) - drawn
    tokens = np.minimum(drawn, TOKENS - before)
    is_chunk = tokens > 0
    return tokens[is_chunk].astype(np.int32), is_chunk.sum(axis=1)


def steps(chunk_tokens: Any, chunks: Any) -> dict[str, Any]:
    """Return the decode steps of requests: every chunk after the first is a step that drafted 4 and gave one token of its own."""
    import pyarrow as pa

    starts = np.cumsum(chunks) - chunks
    accepted = np.delete(chunk_tokens - 1, starts)
    offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(chunks - 1))).astype(np.int32)
    drafted = np.full(len(accepted), 4, np.int32)
    return {"steps_drafted": pa.ListArray.from_arrays(offsets, drafted), "steps_accepted": pa.ListArray.from_arrays(offsets, accepted)}


def measure(kind: str, file: Path) -> dict[str, dict[str, float]]:
    """Return what the steps of a summary cost this process, as `ledger verify` takes them."""
    laps = Laps()
    from ledger.analysis.cells.summary import summarise
    from ledger.bench.journal.parquet_columns import read_columns

    laps.end("import")
    traces = read_columns(file)
    laps.end("read")
    plan = protocol(kind)
    summary = summarise(plan, traces, seed=plan.seed)
    laps.end("summarise")
    assert summary.cell("base", "c50") is not None
    return {name: asdict(cost) for name, cost in laps.costs.items()}


class Laps:
    """The costs of steps that follow each other."""

    def __init__(self) -> None:
        self.costs: dict[str, Cost] = {}
        self._wall_s, self._cpu_s = time.monotonic(), time.process_time()

    def end(self, name: str) -> None:
        """Note what was spent since the step before ended, and the peak resident size since this program began."""
        wall_s, cpu_s = time.monotonic(), time.process_time()
        self.costs[name] = Cost(wall_s - self._wall_s, cpu_s - self._cpu_s, status_bytes("VmHWM"))
        self._wall_s, self._cpu_s = wall_s, cpu_s


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], Path(sys.argv[2]))))
