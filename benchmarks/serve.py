"""The runner beside `vllm bench serve` over HTTP: the same prompts and engine settings, in blocks, as one machine holds one engine.

Blocks go server, runner, server, so that a drift of the machine falls on both; passes of different blocks are still
minutes apart, and the server's side shares the cores with an HTTP server and a client in processes of their own.
"""

import asyncio
import json
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.passes import REQUESTS, Pass, encoded, one_pass, protocol, running
from benchmarks.runner import MEASURED
from benchmarks.server import Served, served, serving
from ledger.bench.models.demo_model import small_model_path
from ledger.bench.run.streamed_request import EncodedPrompt
from ledger.bench.vllm.arguments import engine_arguments
from ledger.bench.vllm.backend import VllmBackend

PASSES = 3
"""Of the server in each of its two blocks; the runner makes twice as many in its one."""


def main() -> list[Figure]:
    """Print and return the medians of both sides and their ratio."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prompts = tuple(written_prompts(folder / "prompts.json"))
        first = server_block(folder)
        ours = asyncio.run(runner_block())
        theirs = [*first, *server_block(folder)]
    expected = sum(len(prompt.tokens) for prompt in prompts)
    return [*compared(ours, [one.figures for one in theirs]), *what_it_says(theirs, expected)]


def written_prompts(file: Path) -> Sequence[EncodedPrompt]:
    """Write the prompts as the data set that vLLM reads without pandas, chat template applied, and return them in tokens.

    Raises:
        ValueError: the text of a prompt does not give its tokens again, so the server would be sent another.
    """
    plan = protocol()
    backend = VllmBackend(plan, small_model_path())
    prompts = encoded(plan, backend)
    texts = [backend.tokenizer.decode(prompt.tokens) for prompt in prompts]
    for prompt, text in zip(prompts, texts, strict=True):
        if tuple(backend.tokenizer.encode(text, add_special_tokens=False)) != prompt.tokens:
            raise ValueError(f"{prompt.id}: its text does not give its tokens again")
    file.write_text(json.dumps([{"conversations": [{"value": text}, {"value": "none"}]} for text in texts]))
    return prompts


def server_block(folder: Path) -> list[Served]:
    """Return the passes of one life of the server, after one that is dropped."""
    plan, model = protocol(), small_model_path()
    with serving(model, engine_arguments(plan, plan.baseline, model), folder) as port:
        found = [served(port, model, folder / "prompts.json", folder=folder) for _ in range(PASSES + 1)][1:]
    for one in found:
        told(f"vllm bench serve, {one.completed} of {REQUESTS} completed", one.figures)
    return found


async def runner_block() -> list[Pass]:
    """Return the passes of the runner in one life of the engine."""
    async with running() as bench:
        found = [await one_pass(bench, "recorded") for _ in range(2 * PASSES)]
    for one in found:
        told("runner", one)
    return found


def told(side: str, one: Pass) -> None:
    """Print one pass."""
    print(f"  {side}: {one.tokens_per_s:.1f} tok/s, TTFT {one.ttft_s * 1e3:.1f} ms, TPOT {one.tpot_s * 1e3:.2f} ms", flush=True)


def compared(ours: Sequence[Pass], theirs: Sequence[Pass]) -> list[Figure]:
    """Return the runner's median of each quantity beside the server's."""
    figures = []
    for what, name in list(MEASURED.items())[:3]:
        mine, other = (statistics.median(getattr(one, name) for one in side) for side in (ours, theirs))
        scale, unit = (1.0, "tok/s") if name == "tokens_per_s" else (1e3, "ms")
        found = f"{mine / other:.3f} ({mine * scale:.1f} and {other * scale:.1f} {unit}; blocks, not pairs)"
        figures.append(Figure(f"runner / vllm bench serve: {what}", found))
    return figures


def what_it_says(theirs: Sequence[Served], expected_tokens: int) -> list[Figure]:
    """Return what `vllm bench serve` reported of its own load, beside what its own times say."""
    said, real = (statistics.median(getattr(one, name) for one in theirs) for name in ("said_in_flight", "in_flight"))
    lost = sum(REQUESTS - one.completed for one in theirs)
    same = all(one.prompt_tokens == expected_tokens for one in theirs)
    found = f"{said:.0f} reported (alive within one second), {real:.0f} at one instant; {lost} lost; "
    return [Figure("vllm bench serve: requests in flight", found + f"prompt tokens {'as sent by the runner' if same else 'differ'}")]
