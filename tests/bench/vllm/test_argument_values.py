"""Values are read by the installed vLLM's own parsers, so that a slip is found before a plan lands."""

from typing import Any

import pytest

from ledger.bench.vllm.argument_values import value_problems
from tests.bench.conftest import protocol_of

pytest.importorskip("vllm")


def faults(**fields: Any) -> list[str]:
    """What is wrong with a plan's values."""
    return [problem.message for problem in value_problems(protocol_of(**fields))]


def test_what_vllm_takes_passes_whatever_its_type() -> None:
    engine = {
        "max_num_seqs": 16,
        "gpu_memory_utilization": 0.85,
        "enforce_eager": True,
        "enable_prefix_caching": False,
        "dtype": "bfloat16",
        "compilation_config": {"cudagraph_capture_sizes": [1, 2, 4]},
        "hf_overrides": {"rope_scaling": {"rope_type": "yarn", "factor": 4.0}},
        "cudagraph_capture_sizes": [1, 8],
        "device": "cuda",
        "gpus": 8,
    }
    assert faults(engine=engine) == []


def test_a_value_of_another_kind_is_named_with_its_key() -> None:
    (problem,) = value_problems(protocol_of(engine={"max_num_seqs": "many"}))
    assert problem.message.startswith('engine.max_num_seqs: vLLM refuses "many": ')
    assert problem.field == ("engine", "max_num_seqs")
    assert "expected true or false" in faults(engine={"enforce_eager": 1})[0]
    assert "expected no switch" in faults(engine={"max_num_seqs": True})[0]
    assert faults(engine={"dtype": "bfloat17"})


def test_options_of_an_arm_are_read_by_the_speculative_configuration() -> None:
    def arms(**options: Any) -> list[dict[str, Any]]:
        return [{"id": "base"}, {"id": "eagle", "method": "eagle3", "num_speculative_tokens": 3, "draft": "head", "options": options}]

    schedule = [[1, 4, 5], [5, 16, 3]]
    assert faults(arms=arms(num_speculative_tokens_per_batch_size=schedule, draft_tensor_parallel_size=1)) == []
    (fault,) = faults(arms=arms(suffix_decoding_max_tree_depth="deep"))
    assert fault.startswith('arm eagle: vLLM refuses suffix_decoding_max_tree_depth = "deep": input should be a valid integer')
