"""What an engine prints goes into its file."""

import subprocess
import sys
from pathlib import Path

import pytest

from ledger.bench.vllm.engine_log import output_to


def test_what_children_print_goes_to_the_file_and_what_we_print_does_not(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "engine.log"
    with output_to(log):
        subprocess.run([sys.executable, "-c", "import os; os.write(1, b'out'); os.write(2, b'err')"], check=True)
        print("ours")
    print("after")
    assert log.read_text() == "outerr"
    assert "ours" not in log.read_text()
    assert "after" in capfd.readouterr().out
