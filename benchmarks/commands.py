"""`ledger` on a made-up ledger of many claims, beside the floor of its work: starting Python, or reading every file."""

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.timing import LEDGER, compared

RECORDS = 10_000
READ_ALL = (
    "import pathlib, hashlib\nfor path in sorted(pathlib.Path('records').rglob('*.toml')):\n    hashlib.sha256(path.read_bytes()).digest()"
)

SOURCE = """[[source]]
id = "page"
title = "A page"
publisher = "Example"
type = "blog"
relation = "supplier"
licence = "not stated"
captures = [{ retrieved_at = 2025-01-01 }]
"""
CLAIM = """[[claim]]
id = "claim-{number}"
label = "vendor-claimed"
side = "technical"
subject = "engine-{kind}/method"
statement = "A made-up statement, number {number}, of {{value}}."
source = "page"
locator = "line {number}"
asserted_on = 2025-{month:02d}-{day:02d}
quantities = [{{ name = "value", metric = "output-speedup", value = "1.{number}", unit = "x" }}]
"""


def make_ledger(root: Path, count: int) -> None:
    """Write a ledger of one source and many claims, one record a file."""
    (root / "ledger.toml").write_text('organisation = "Benchmark"\n')
    claims = root / "records" / "claims"
    claims.mkdir(parents=True)
    (root / "records" / "page.toml").write_text(SOURCE)
    for number in range(count):
        text = CLAIM.format(number=number, kind=number % 50, month=number % 12 + 1, day=number % 28 + 1)
        (claims / f"claim-{number}.toml").write_text(text)


def main() -> list[Figure]:
    """Print and return start-up, check, the first query, and a query on an index that is fresh."""
    nothing = [sys.executable, "-c", "pass"]
    read_all = [sys.executable, "-c", READ_ALL]
    query = [*LEDGER, "claims", "--subject", "engine-7", "--as-of", "2025-06-30", "--format", "json"]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make_ledger(root, RECORDS)
        drop = ["sh", "-c", "rm -rf .ledger && exec " + " ".join(map(_quoted, query))]
        figures = [
            compared("ledger --help (floor: python)", [*LEDGER, "--help"], nothing, cwd=root),
            compared(f"ledger check, {RECORDS} records (floor: read all)", [*LEDGER, "check"], read_all, cwd=root, runs=3),
            compared("as-of query, no index (floor: read all)", drop, read_all, cwd=root, runs=3),
        ]
        subprocess.run(["sleep", "2.5"], check=True)  # an index built within the file system's clock tick is not trusted
        return [*figures, compared("as-of query, index fresh (floor: python)", query, nothing, cwd=root)]


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"
