"""What doctor looks for: needed parts, the ledger, git, and the GPU that nvidia-smi names."""

import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from ledger.api.command_line import installation
from ledger.api.command_line.installation import InstalledPart, installed_parts

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


def by_name(folder: Path) -> dict[str, InstalledPart]:
    """The parts by their names."""
    return {part.name: part for part in installed_parts(folder)}


def test_a_part_says_what_it_is_or_what_to_do() -> None:
    assert str(InstalledPart("git", "2.40")) == "ok       git: 2.40"
    assert str(InstalledPart("git", None, "Install it.")) == "missing  git. Install it."


def test_the_ledger_above_a_folder_is_named(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.write("records/x.toml", "")
    part = by_name(ledger_folder.root / "records")["ledger"]
    assert part.found == f"{ledger_folder.root}, kept by Test Works"


@pytest.mark.parametrize(("settings", "is_needed"), [("organisation = ", True), (None, False)])
def test_a_ledger_that_is_there_and_faulty_is_needed(settings: str | None, is_needed: bool, ledger_folder: "LedgerFolder") -> None:
    if settings is None:
        (ledger_folder.root / "ledger.toml").unlink()
    else:
        ledger_folder.write("ledger.toml", settings)
    part = by_name(ledger_folder.root)["ledger"]
    assert (part.found, part.is_needed) == (None, is_needed)


def test_a_commit_around_the_ledger_is_named(ledger_folder: "LedgerFolder") -> None:
    assert by_name(ledger_folder.root)["git"].found == "installed; no commit around this ledger, so nothing is recorded"
    ledger_folder.git("init", "-q", "-b", "main")
    ledger_folder.git("add", ".")
    ledger_folder.git("commit", "-qm", "one")
    assert by_name(ledger_folder.root)["git"].found == f"commit {ledger_folder.git('rev-parse', 'HEAD')[:12]}, main"


@pytest.mark.parametrize(("free", "found"), [(3 * 2**30, "3.0 GiB free"), (2**29, None)])
def test_a_full_disk_is_told(free: int, found: str | None, ledger_folder: "LedgerFolder", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    part = by_name(ledger_folder.root)["disk"]
    assert (part.found, part.remedy) == (found, f"Only {free // 2**20} MiB are free.")


def test_an_nvidia_smi_that_hangs_is_no_gpu(ledger_folder: "LedgerFolder", monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(command: list[str], **_: object) -> None:
        raise subprocess.TimeoutExpired(command, 20)

    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(subprocess, "run", hang)
    assert installation._gpus() is None
