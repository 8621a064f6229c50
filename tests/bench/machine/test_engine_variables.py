"""Variables that may change what an engine does are recorded, and nothing that names somebody or something of the machine."""

import pytest

from ledger.bench.machine.engine_variables import engine_variables, is_of_the_engine, without_serial


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("VLLM_USE_V2_MODEL_RUNNER", True),
        ("VLLM_CPU_KVCACHE_SPACE", True),
        ("NCCL_P2P_DISABLE", True),
        ("OMP_NUM_THREADS", True),
        ("CUDA_VISIBLE_DEVICES", True),
        ("VLLM_API_KEY", False),
        ("VLLM_HOST_IP", False),
        ("CUDA_HOME", False),
        ("VLLM_CONFIG_ROOT", False),
        ("PATH", False),
        ("HOME", False),
    ],
)
def test_a_variable_is_told_by_its_name(name: str, told: bool) -> None:
    assert is_of_the_engine(name) is told


def test_values_lose_folders_and_serial_numbers() -> None:
    variables = {"VLLM_X": "/srv/models/tiny.json", "CUDA_VISIBLE_DEVICES": "GPU-1234-5678,1", "VLLM_API_KEY": "secret", "LANG": "C"}
    assert engine_variables(variables) == {"CUDA_VISIBLE_DEVICES": "GPU-…,1", "VLLM_X": "tiny.json"}
    assert without_serial("MIG-9") == "MIG-…"
