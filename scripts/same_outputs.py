"""Shows where two revisions print or write other bytes: same_outputs.py BASE [OTHER] [--only WORD].

Each revision's code runs every reading command on one and the same copy of the project's ledger, as it lay at BASE.
Nothing is written but in a temporary folder. Exit 1 where anything differs. It takes some minutes.
"""

import argparse
import difflib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNS = ("2026-11-30-main", "2026-11-30-customer-service-cpu")
RECORDS = ("vllm-blog-2024-high-qps-slowdown", RUNS[0], "speculative-decoding")
OUT = "OUT"
"""Stands for the folder that a command writes to."""
LINES_SHOWN = 12


def commands() -> Iterator[tuple[str, ...]]:
    """Yield every command that is compared."""
    for kind in ("claims", "sources", "costs", "runs", "protocols", "articles"):
        for form in ("table", "json", "csv", "markdown"):
            yield kind, "--format", form
    yield from (("claims", "--all", "--format", "json"), ("costs", "--all", "--format", "json"), ("claims", "--label", "measured"))
    yield from (("costs", "--as-of", "2025-01-01"), ("claims", "--known-at", "2026-11-30", "--format", "json"))
    yield from (("check",), ("check", "--format", "json"), ("check", "--format", "sarif"), ("schema",), ("doctor",))
    yield from (("coverage",), ("coverage", "--format", "json"), ("search", "speculation"), ("search", "n-gram", "--format", "json"))
    yield from (("conflicts", "vllm"), ("conflicts", "vllm", "--format", "json"), ("article", "stale"))
    yield from (("sql", f"SELECT * FROM {view}") for view in ("claims", "quantities", "costs"))
    yield from (("verify", "--history"), *(("verify", run) for run in RUNS))
    for record in RECORDS:
        yield from (("show", record), ("show", record, "--json"), ("log", record), ("impact", record, "--format", "json"))
    yield from (("bench", "plan", "main"), ("bench", "plan", "demo"), *(("bench", "compare", run) for run in RUNS))
    yield ("bench", "compare", *RUNS)
    yield from (("bench", "compare", RUNS[0], "--format", form) for form in ("csv", "json"))
    yield from (("bench", "compare", RUNS[1], "--html", f"{OUT}/page.html"), ("bench", "compare", RUNS[1], "--svg", f"{OUT}/figures"))
    yield from (("export", "--format", form, "--out", f"{OUT}/e.{form}") for form in ("csv", "json", "jsonld", "xlsx", "parquet", "sqlite"))
    yield "claims", "--format", "xlsx", "--out", f"{OUT}/claims.xlsx"
    yield "article", "build", "speculative-decoding", "speculative-decoding-pricing", "--out", f"{OUT}/build"
    yield from (("--help",), ("bench", "--help"), ("claims", "--help"), ("add", "claim", "--help"))


def outcome(code: Path, ledger: Path, command: tuple[str, ...]) -> dict[str, str]:
    """Return exit status, both streams, and the hash of every file written, of one command."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")  # one name for all, since some outputs tell it
        out.mkdir()
        words = [word.replace(OUT, str(out)) if word.startswith(OUT) else word for word in command]
        environment = {**os.environ, "PYTHONPATH": str(code), "COLUMNS": "80", "NO_COLOR": "1"}
        program = [sys.executable, "-P", "-c", "from ledger.cli.main import main; main()", *words]
        done = subprocess.run(program, cwd=ledger, env=environment, capture_output=True, check=False)
        streams = {"output": done.stdout, "errors": done.stderr}
        told = {name: text.decode("utf-8", "replace").replace(folder, OUT).replace(str(code), "CODE") for name, text in streams.items()}
        files = {str(path.relative_to(out)): sha256(path.read_bytes()).hexdigest() for path in sorted(out.rglob("*")) if path.is_file()}
        return {"exit status": str(done.returncode), **told, **files}


def differences(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    """Yield what differs between two outcomes, text with its first lines."""
    for name in sorted({*before, *after}):
        old, new = before.get(name, ""), after.get(name, "")
        if old != new:
            yield name
            if "\n" in old + new:
                lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0)
                yield from (f"    {line}" for line, _ in zip(lines, range(LINES_SHOWN), strict=False))


def checkout(revision: str, folder: Path) -> Path:
    """Return a folder with the files of a revision."""
    subprocess.run(["git", "clone", "--quiet", "--no-checkout", str(ROOT), str(folder)], check=True)
    subprocess.run(["git", "-C", str(folder), "checkout", "--quiet", "-B", "main", revision], check=True)
    return folder


def main() -> None:
    """Compare and print; exit 1 on any difference."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base")
    parser.add_argument("other", nargs="?", default="HEAD")
    parser.add_argument("--only", default="", help="compare the commands that hold this text")
    asked = parser.parse_args()
    revisions = [
        subprocess.run(["git", "rev-parse", name], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
        for name in (asked.base, asked.other)
    ]
    folder = Path(tempfile.mkdtemp())
    try:
        sys.exit(compare(folder, revisions, asked.only))
    finally:
        shutil.rmtree(folder)


def compare(folder: Path, revisions: list[str], only: str) -> int:
    """Print every difference and return how many commands differ, at most 1 as an exit status."""
    base, other = (checkout(revision, folder / name) for revision, name in zip(revisions, ("base", "other"), strict=True))
    ledger = checkout(revisions[0], folder / "ledger")
    asked = [command for command in commands() if only in " ".join(command)]
    changed = 0
    for command in asked:
        found = list(differences(outcome(base, ledger, command), outcome(other, ledger, command)))
        changed += bool(found)
        print(f"{'OTHER' if found else 'same '}  ledger {' '.join(command)}", *found, sep="\n    ", flush=True)
    print(f"{len(asked) - changed} of {len(asked)} commands give the same bytes")
    return int(bool(changed))


if __name__ == "__main__":
    main()
