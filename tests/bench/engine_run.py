"""A tiny protocol on the real engine, in a process of its own: `python -m tests.bench.engine_run FOLDER`.

A process of its own keeps vLLM's environment variables and warnings out of the tests, and shows what it leaves behind.
"""

import json
import sys
from pathlib import Path

import psutil

from ledger.bench.models.demo_model import small_model_path
from ledger.bench.plan.suite_items import SuiteItem
from ledger.bench.plan.workload import Prompt
from ledger.bench.run.run_request import RunRequest
from ledger.bench.run.runner import run_protocol
from ledger.bench.vllm.engine import is_alive
from ledger.model.records.protocol import Protocol
from tests.bench.conftest import protocol_of, suite_item

BLOCK_SIZE = 32
"""Tokens of a prompt are cached in blocks; vLLM's CPU build makes them longer than these prompts unless told."""
LINES = "linen tea towel (sage); enamel kettle (cream); jar candle (fig); cork mat (plain); oak tray (large)"
REPEATING = f"Repeat this list, word by word, three times: {LINES}"
PROMPTS = [
    Prompt("repeating", ({"role": "user", "content": REPEATING},)),
    Prompt("colours", ({"role": "user", "content": "Name colours, each once, separated by commas."},)),
    Prompt("plain", ({"role": "user", "content": "My parcel is late. What can I do?"},)),
    Prompt("short", ({"role": "user", "content": "Hello!"},)),
]
ITEMS = [
    suite_item("number", messages=[{"role": "user", "content": "What is 2 + 2?"}], max_tokens=16, check={"type": "contains", "any": ["4"]})
]


def plan() -> Protocol:
    """Four arms, two loads with batches; float32, so that two ways to compute a token agree on it."""
    engine: dict[str, str | int | bool] = {"max_model_len": 512, "enforce_eager": True, "device": "cpu", "dtype": "float32"}
    return protocol_of(
        engine=engine | {"kv_cache_memory_bytes": 512 << 20, "enable_prefix_caching": True, "block_size": BLOCK_SIZE},
        arms=[
            {"id": "baseline"},
            {"id": "ngram-4", "method": "ngram", "num_speculative_tokens": 4, "prompt_lookup_min": 2, "prompt_lookup_max": 4},
            {"id": "self-3", "method": "draft_model", "num_speculative_tokens": 3, "draft": "self"},
            {"id": "untrained-3", "method": "draft_model", "num_speculative_tokens": 3, "draft": "untrained"},
        ],
        loads=[
            {"id": "c3", "concurrency": 3, "requests": 4},
            {"id": "c3-warm", "concurrency": 3, "requests": 4, "cache": "warm", "ramp_s": "0.5"},
        ],
        sampling={"temperature": "0", "max_tokens": 40, "ignore_eos": True},
        suites=["suite"],
        warm_up_requests=1,
    )


def leftovers() -> list[str]:
    """Command lines of child processes that live, multiprocessing's own helper apart, which ends with this process."""
    children = [child for child in psutil.Process().children(recursive=True) if is_alive(child)]
    return [line for child in children if "resource_tracker" not in (line := " ".join(child.cmdline()))]


def main() -> None:
    """Run in the folder given and say what is left."""
    items: list[SuiteItem] = ITEMS
    model, out = small_model_path(), Path(sys.argv[1])
    run_protocol(RunRequest(protocol=plan(), prompts=PROMPTS, suite_items=items, model_path=model, out_dir=out))
    print(json.dumps({"leftovers": leftovers(), "tracker": [child.pid for child in psutil.Process().children()]}))


if __name__ == "__main__":
    main()
