"""Which OpenMP the CPU build runs on: ours where it is installed, the user's where one was preloaded."""

import os
import platform
import sys
from pathlib import Path

import pytest

from ledger.bench.vllm import openmp
from ledger.bench.vllm.openmp import preload_openmp


@pytest.fixture(autouse=True)
def linux(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine of the right kind whose Python has the library; returns its file."""
    monkeypatch.setattr(platform, "system", lambda: "Linux")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(openmp, "version", lambda _: "2025.1")
    monkeypatch.setenv("LD_PRELOAD", "")
    library = tmp_path / "lib" / "libiomp5.so"
    library.parent.mkdir()
    library.touch()
    return library


def test_the_library_goes_in_front_of_everything_and_behind_what_is_preloaded(linux: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert preload_openmp() == "libiomp5, intel-openmp 2025.1"
    assert os.environ["LD_PRELOAD"] == str(linux)
    monkeypatch.setenv("LD_PRELOAD", "/usr/lib/libjemalloc.so")
    preload_openmp()
    assert os.environ["LD_PRELOAD"] == f"/usr/lib/libjemalloc.so:{linux}"


def test_a_second_engine_changes_nothing(linux: Path) -> None:
    assert preload_openmp() == preload_openmp()
    assert os.environ["LD_PRELOAD"] == str(linux)


@pytest.mark.parametrize(
    ("preloaded", "expected"), [("libgomp.so.1", "libgomp, preloaded by the user"), ("libomp.so", "libomp, preloaded by the user")]
)
def test_another_library_that_the_user_chose_stays(monkeypatch: pytest.MonkeyPatch, preloaded: str, expected: str) -> None:
    monkeypatch.setenv("LD_PRELOAD", f"/usr/lib/{preloaded}")
    assert preload_openmp() == expected
    assert os.environ["LD_PRELOAD"] == f"/usr/lib/{preloaded}"


def test_elsewhere_torch_brings_its_own(linux: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    linux.unlink()
    assert preload_openmp() == "torch's own"
    linux.touch()
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    assert preload_openmp() == "torch's own"
    assert os.environ["LD_PRELOAD"] == ""
