"""A copy of this project's own ledger, worked on through the real command as its users would."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


class OwnLedger:
    """The project's ledger in a folder and a git repository of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in ("records", "templates"):
            shutil.copytree(ROOT / name, root / name)
        shutil.copy(ROOT / "ledger.toml", root / "ledger.toml")
        self.git("init", "-q", "-b", "main")
        self.land()

    def git(self, *arguments: str) -> None:
        """Run git with an identity of its own."""
        identity = ("-c", "user.name=T", "-c", "user.email=t@example.invalid")
        subprocess.run(["git", *identity, *arguments], cwd=self.root, check=True, capture_output=True)

    def land(self) -> None:
        """Commit everything on the main branch."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "a step")

    def run(self, *arguments: str, timeout: float = 600) -> "subprocess.CompletedProcess[str]":
        """Run the command inside the ledger at 80 columns."""
        env = {**os.environ, "COLUMNS": "80", "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
        program = [sys.executable, "-c", "from ledger.cli.main import main; main()", *arguments]
        return subprocess.run(program, cwd=self.root, env=env, capture_output=True, text=True, check=False, timeout=timeout)

    def build(self, *names: str, out: str = "build", formats: str = "md,html,pdf") -> "subprocess.CompletedProcess[str]":
        """Build articles into a folder of the ledger."""
        return self.run("article", "build", *names, "--out", out, "--formats", formats)


@pytest.fixture
def own_ledger(tmp_path: Path) -> OwnLedger:
    """The project's ledger, fresh."""
    return OwnLedger(tmp_path / "own")
