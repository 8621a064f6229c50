"""Write constraints.txt: the exact versions of what the core and the developers' tools stand on, read from this environment.

The engine's own packages stay out: its two builds need different ones, and each pins what matters to it.
"""

import re
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parent.parent
PROJECT = "evidence-ledger"
OLDEST_PYTHON = "3.11.2"  # Debian 12's; a package that asks for a later patch release would break set-up there
HEADER = """\
# The versions that set-up installs, and so the toolchain that editions are built with. Written by `make lock`.
# Lift one by installing it in .venv, running `make test`, then `make lock`. numpy stays below 2.4 while vLLM 0.32's numba does.
"""


def canonical(name: str) -> str:
    """Return a distribution's name as registries compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements(name: str, extras: set[str]) -> list[Requirement]:
    """Return what an installed distribution asks for here, with the given extras."""
    wanted = [Requirement(line) for line in distribution(name).requires or []]
    return [r for r in wanted if not r.marker or any(r.marker.evaluate({"extra": extra}) for extra in extras | {""})]


def closure(name: str, extras: set[str]) -> dict[str, str]:
    """Return name and version of every installed distribution reachable from one, itself left out."""
    versions: dict[str, str] = {}
    waiting, seen = [(name, frozenset(extras))], set()
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        for requirement in requirements(current[0], set(current[1])):
            found = canonical(requirement.name)
            try:
                versions[found] = distribution(found).version
            except PackageNotFoundError:
                continue  # asked for only on another platform or by an extra that is not installed
            waiting.append((found, frozenset(requirement.extras)))
    versions.pop(name, None)
    return dict(sorted(versions.items()))


def refuses_oldest_python(name: str) -> bool:
    """Whether an installed distribution does not support the oldest Python that set-up must work on."""
    asked = metadata["Requires-Python"] if "Requires-Python" in (metadata := distribution(name).metadata) else ""
    return not SpecifierSet(asked).contains(OLDEST_PYTHON)


def main() -> None:
    """Write the file and say how many versions it holds; refuse versions that Debian 12 cannot install."""
    versions = closure(PROJECT, {"dev", "site"})
    if too_new := [f"{name} {version}" for name, version in versions.items() if refuses_oldest_python(name)]:
        sys.exit(f"these need a Python later than {OLDEST_PYTHON}; install an older release of each first: {', '.join(too_new)}")
    lines = [f"{name}=={version}\n" for name, version in versions.items()]
    (ROOT / "constraints.txt").write_text(HEADER + "".join(lines), encoding="utf-8")
    print(f"constraints.txt: {len(lines)} versions")


if __name__ == "__main__":
    main()
