"""What an engine prints goes into its file."""

import subprocess
import sys
from pathlib import Path

import pytest

from ledger.bench.vllm.engine_log import output_to, start_facts


def test_what_children_print_goes_to_the_file_and_what_we_print_does_not(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "engine.log"
    with output_to(log):
        subprocess.run([sys.executable, "-c", "import os; os.write(1, b'out'); os.write(2, b'err')"], check=True)
        print("ours")
    print("after")
    assert log.read_text() == "outerr"
    assert "ours" not in log.read_text()
    assert "after" in capfd.readouterr().out


CPU_LOG = """\
(EngineCore pid=2525) INFO [ompmultiprocessing.py:185] OpenMP thread binding info:
(EngineCore pid=2525) INFO [ompmultiprocessing.py:185] \tlocal_rank=0, core ids=[0, 1]
(EngineCore pid=2525) INFO [ompmultiprocessing.py:185] \treserved_cpus=[2, 3]
(EngineCore pid=2525) INFO [torch_utils.py:295] Reducing Torch threads from 2 to 1 for serving.
"""
GPU_LOG = """\
INFO [cuda.py:566] Using backend FLASH_ATTN for vit attention
INFO [cuda.py:507] Using FLASHINFER attention backend out of potential backends: ['FLASHINFER', 'TRITON_ATTN'].
"""


def test_the_log_of_a_start_tells_attention_and_the_cores_that_compute() -> None:
    binding = {"cpu_binding.engine_cores": "0,1", "cpu_binding.reserved_cores": "2,3"}
    assert start_facts(CPU_LOG, on_cpu=True) == {"attention_config.backend": "CPU_ATTN", **binding}
    assert start_facts(GPU_LOG, on_cpu=False) == {"attention_config.backend": "FLASHINFER"}
    assert start_facts("INFO Using AttentionBackendEnum.TRITON_MLA backend.", on_cpu=False) == {"attention_config.backend": "TRITON_MLA"}
    assert start_facts("nothing", on_cpu=False) == {}


def test_every_ranks_cores_are_told_once() -> None:
    log = "local_rank=0, core ids=[0, 1]\nlocal_rank=1, core ids=[2, 3]\nlocal_rank=0, core ids=[0, 1]\n"
    assert start_facts(log, on_cpu=True)["cpu_binding.engine_cores"] == "0,1; 2,3"
