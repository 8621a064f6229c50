"""Makes a pack: one file that runs a plan on a machine with Python and vLLM, and nothing else of ours.

A Python zip application of stored, sorted entries with one fixed date, so that the same plan gives the same bytes. It
holds the runner's own modules and what they import of this package, found in their source; nothing else of it.
"""

import ast
import io
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import ledger
from ledger.bench.pack.packed_plan import PLAN, PROMPTS, PackedPlan, items_name

ENTRY = "ledger.bench.pack.remote_main"
"""The module that a pack runs; what it imports goes along."""
FIRST_LINES = """\
import os
import sys

if sys.version_info < (3, 11):
    sys.exit("Python %d.%d runs this; Python 3.11 or newer is needed. Name the one that vLLM is installed for." % sys.version_info[:2])
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[0] = HERE
if __name__ == "__main__":
    from ledger.bench.pack.remote_main import main

    sys.exit(main(HERE))
"""
"""`__main__` of a pack: readable by older Pythons, and inert in the engine's own processes, which import it too."""
DATE = (1980, 1, 1, 0, 0, 0)
"""The earliest that a zip file can hold."""


def pack_bytes(plan: PackedPlan, files: Mapping[str, bytes]) -> bytes:
    """Return a pack.

    Args:
        plan: the plan.
        files: content of the files of its workload and suites, by record id.
    """
    names = {PROMPTS: plan.workload.id} | {items_name(suite.id): suite.id for suite in plan.suites}
    entries = {name: files[record_id] for name, record_id in names.items()}
    entries |= {path: source.encode() for path, source in runner_sources()}
    entries |= {"__main__.py": FIRST_LINES.encode(), PLAN: plan_bytes(plan)}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:  # compressed bytes differ between releases of zlib
        for name in sorted(entries):
            archive.writestr(entry_of(name), entries[name])
    return stream.getvalue()


def plan_bytes(plan: PackedPlan) -> bytes:
    """Return the plan as JSON; author and note of the protocol stay at home, since they carry no meaning."""
    unsaid = {"protocol": {"author", "note"}}
    return plan.model_dump_json(by_alias=True, exclude=unsaid, indent=1).encode() + b"\n"


def entry_of(name: str) -> zipfile.ZipInfo:
    """Return the header of an entry, the same on every machine."""
    entry = zipfile.ZipInfo(name, DATE)
    entry.create_system = 3  # Unix, on which the mode below is read
    entry.external_attr = 0o644 << 16
    return entry


def runner_sources() -> Iterator[tuple[str, str]]:
    """Yield path and source of every module that the runner needs: its imports, theirs, and the packages around them."""
    root = Path(ledger.__file__).parent.parent
    seen: set[Path] = set()
    waiting = [ENTRY]
    while waiting:
        name = waiting.pop()
        path = source_path(root, name)
        if path is None or path in seen:
            continue
        seen.add(path)
        source = path.read_text("utf-8")
        yield path.relative_to(root).as_posix(), source
        waiting += [*imports_in(source), name.rpartition(".")[0]]


def source_path(root: Path, module: str) -> Path | None:
    """Return the file of a module of this package, None for any other name."""
    parts = module.split(".")
    if parts[0] != "ledger":
        return None
    base = root.joinpath(*parts)
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


def imports_in(source: str) -> Iterator[str]:
    """Yield every name that a source imports, at any depth; a name imported from a package may be a module of it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
