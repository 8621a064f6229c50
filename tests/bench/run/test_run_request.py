"""What a run is asked to do, and what it does where nothing was said."""

from pathlib import Path

from ledger.bench.engine.clock import SystemClock
from ledger.bench.run.run_request import RunRequest
from ledger.bench.vllm.backend import VllmBackend
from tests.bench.conftest import prompts_of, protocol_of


def test_a_request_that_says_nothing_more_runs_vllm_in_real_time_unplanned_and_keeps_its_evidence() -> None:
    request = RunRequest(protocol=protocol_of(), prompts=prompts_of(1), model_path=Path("model"), out_dir=Path("out"))
    assert request.backend_factory is VllmBackend
    assert isinstance(request.clock, SystemClock)
    assert (request.planned, request.protocol_commit, request.telemetry, request.parquet) == (False, None, None, True)
    assert (request.suite_items, dict(request.inputs)) == ((), {})
