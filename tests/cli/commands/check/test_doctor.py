"""`ledger doctor`: one line each, what to do where something is missing, exit 3 only where reading would fail."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.api.command_line import installation

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_it_tells_every_part_on_a_line(ledger_folder: "LedgerFolder") -> None:
    done = ledger_folder.run("doctor")
    assert done.returncode == 0, done.stderr
    names = ("python", "ledger", "index", "git", "pango", "harfbuzz", "weasyprint", "templates", "fonts", "vllm", "gpu")
    for name in names:
        assert any(line[9:].startswith(name) for line in done.stdout.splitlines()), name
    assert all(line.startswith(("ok       ", "missing  ")) for line in done.stdout.splitlines())


def test_what_is_missing_says_what_to_do(command: "Command", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "find_library", lambda name: None)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(installation, "_version", lambda name: "1.0" if name in ("pydantic", "sqlmodel", "rtoml", "typer") else None)
    done = command("doctor")
    assert done.code == 0
    missing = [line for line in done.out.splitlines() if line.startswith("missing")]
    for name, words in {"git": "apt-get install git", "pango": "libpango", "gpu": "CPU", "vllm": "evidence-ledger[vllm]"}.items():
        assert any(line.startswith(f"missing  {name}. ") and words in line for line in missing), name


def test_what_reading_needs_ends_with_3(command: "Command", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "_version", lambda name: None)
    done = command("doctor")
    assert done.code == 3
    assert "missing  pydantic. pip install pydantic" in done.out.splitlines()


def test_a_ledger_that_cannot_be_opened_ends_with_3(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.write("ledger.toml", "organisation = ")
    done = ledger_folder.run("doctor")
    assert (done.returncode, "Traceback" in done.stderr) == (3, False)
    assert "missing  ledger" in done.stdout


def test_outside_a_ledger_the_machine_is_told(tmp_path: Path, ledger_folder: "LedgerFolder") -> None:
    (ledger_folder.root / "ledger.toml").unlink()
    done = ledger_folder.run("doctor")
    assert (done.returncode, "missing  ledger" in done.stdout) == (0, True)


def test_a_shallow_clone_is_told(ledger_folder: "LedgerFolder", tmp_path: Path) -> None:
    ledger_folder.git("init", "-q")
    for note in ("a", "b"):
        ledger_folder.write("note", note)
        ledger_folder.git("add", ".")
        ledger_folder.git("commit", "-qm", note)
    ledger_folder.git("clone", "-q", "--depth", "1", f"file://{ledger_folder.root}", str(tmp_path / "clone"))
    clone = type(ledger_folder)(tmp_path / "clone")
    assert "git fetch --unshallow" in clone.run("doctor").stdout


def test_it_imports_no_heavy_library(ledger_folder: "LedgerFolder") -> None:
    done = ledger_folder.run("doctor", PYTHONPROFILEIMPORTTIME="1")
    imported = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines()}
    assert not imported & {"weasyprint", "vllm", "torch", "sqlmodel", "numpy"}


def test_a_gpu_is_named_by_nvidia_smi(tmp_path: Path, ledger_folder: "LedgerFolder") -> None:
    fake = tmp_path / "bin" / "nvidia-smi"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho 'NVIDIA H200, 143771 MiB'\n")
    fake.chmod(0o755)
    assert "ok       gpu: NVIDIA H200, 143771 MiB" in ledger_folder.run("doctor", PATH=f"{fake.parent}:/usr/bin:/bin").stdout
    fake.write_text("#!/bin/sh\nexit 9\n")
    assert "missing  gpu" in ledger_folder.run("doctor", PATH=f"{fake.parent}:/usr/bin:/bin").stdout
