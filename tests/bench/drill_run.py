"""Every fault drill on the real engine, in a process of its own: `python -m tests.bench.drill_run FOLDER`."""

import json
import sys
from pathlib import Path

from ledger.bench.models.demo_model import small_model_path
from ledger.bench.run.run_request import RunRequest
from ledger.bench.run.runner import run_protocol
from ledger.model.records.protocol import Protocol
from tests.bench.conftest import protocol_of
from tests.bench.engine_run import PROMPTS, leftovers

TOKENS = 48


def plan() -> Protocol:
    """Two arms that are the same engine, one of them drilled; the cell is there because a protocol has one."""
    return protocol_of(
        engine={"max_model_len": 512, "enforce_eager": True, "device": "cpu", "kv_cache_memory_bytes": 512 << 20},
        arms=[{"id": "baseline"}, {"id": "again", "repeats_of": "baseline"}],
        loads=[{"id": "c1", "concurrency": 1, "requests": 1}],
        sampling={"temperature": "0", "max_tokens": TOKENS, "ignore_eos": True},
        drills=[
            {"id": "kill", "kind": "engine-killed", "requests": 3, "after_chunks": 2, "arms": ["baseline"]},
            {"id": "leave", "kind": "disconnect", "requests": 4, "after_chunks": 3, "arms": ["baseline"]},
            {"id": "flood", "kind": "overload", "requests": 12, "rate_per_s": "40", "arms": ["baseline"]},
        ],
    )


def main() -> None:
    """Run in the folder given and say what is left."""
    run_protocol(RunRequest(protocol=plan(), prompts=PROMPTS, model_path=small_model_path(), out_dir=Path(sys.argv[1])))
    print(json.dumps({"leftovers": leftovers()}))


if __name__ == "__main__":
    main()
