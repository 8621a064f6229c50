"""A machine that has Python, vLLM and what vLLM asks for, and nothing else: no package of ours, no git, no identity, no network."""

import os
import shutil
import subprocess
import venv
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

from ledger.bench.vllm.backend import distribution as vllm_distribution

WITHHELD = frozenset({"evidence-ledger", "gitpython", "pyarrow", "rtoml", "sqlalchemy", "sqlmodel", "typer", "weasyprint"})
"""Ours, and what the ledger needs at home; Typer among it, although a library of vLLM's server asks for it."""
ALONE = ["unshare", "--map-root-user", "--net", "--uts", "sh", "-c", 'hostname "$0" && ip link set lo up && exec "$@"']
"""Runs what follows in a network of its own, which leads nowhere, under the host name that comes first."""
USER, HOST = "jane-doe", "gpu-box-of-jane"


class StrippedBox:
    """The machine, under a folder; its user and host carry names that nobody may read in a run."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home" / USER
        self.home.mkdir(parents=True)
        venv.EnvBuilder(symlinks=True).create(root / "python")
        self.python = root / "python" / "bin" / "python3"
        [self.site] = (root / "python" / "lib").glob("python3*/site-packages")
        self.programs = root / "bin"
        self.programs.mkdir()
        for program in Path("/usr/bin").iterdir():
            if not program.name.startswith("git"):
                (self.programs / program.name).symlink_to(program)
        for name in sorted(set(needed(vllm_distribution()[0])) - WITHHELD):
            self.install(name)

    def install(self, name: str) -> None:
        """Link the files of an installed distribution."""
        found = distribution(name)
        for top in {Path(file).parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
            if not (self.site / top).exists():
                (self.site / top).symlink_to(Path(str(found.locate_file(top))))

    @property
    def env(self) -> dict[str, str]:
        """All of the environment, a secret included."""
        home = {"HOME": str(self.home), "USER": USER, "LOGNAME": USER, "HF_TOKEN": "hf_secret"}
        return {"PATH": str(self.programs), "LANG": "C.UTF-8", "VLLM_CPU_KVCACHE_SPACE": "2", **home}

    def command(self, *arguments: str) -> list[str]:
        """Return the command line that runs Python there, without a network where the system lets us."""
        return [*([*ALONE, HOST] if can_be_alone() else []), str(self.python), *arguments]

    def run(self, *arguments: str, timeout: float = 300) -> "subprocess.CompletedProcess[str]":
        """Run Python there, in its home."""
        return subprocess.run(
            self.command(*arguments), cwd=self.home, env=self.env, capture_output=True, text=True, check=False, timeout=timeout
        )


def can_be_alone() -> bool:
    """Whether this system lets a user make a network of their own."""
    if not all(map(shutil.which, ("unshare", "ip", "hostname"))):
        return False
    return subprocess.run([*ALONE, HOST, "true"], env=dict(os.environ), capture_output=True, check=False).returncode == 0


def needed(name: str, extras: frozenset[str] = frozenset(), seen: set[tuple[str, frozenset[str]]] | None = None) -> Iterator[str]:
    """Yield a distribution and all that it asks for, as far as it is installed."""
    seen = set() if seen is None else seen
    if (name, extras) in seen:
        return
    seen.add((name, extras))
    try:
        asked = distribution(name).requires or []
    except ModuleNotFoundError:
        return
    yield name
    for one in map(Requirement, asked):
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield from needed(one.name.lower().replace("_", "-"), frozenset(one.extras), seen)
