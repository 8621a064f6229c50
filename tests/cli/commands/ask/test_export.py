"""`ledger export`: paths printed, kinds and days that narrow it, and what is refused."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def claims_in(path: Path) -> set[str]:
    """The claims of a JSON export."""
    return {row["id"] for row in json.loads(path.read_text(encoding="utf-8"))["claims"]}


def test_the_path_is_printed_and_the_day_narrows(filled: "LedgerFolder", command: "Command") -> None:
    done = command("export", "--format", "json", "--out", "out.json", "--kind", "claim", "--as-of", "2025-02-28")
    assert (done.code, done.out, done.err) == (0, "out.json\n", "")
    assert claims_in(filled.root / "out.json") == {"gain", "idea"}
    assert command("export", "--format", "json", "--out", "all.json", "--kind", "claim", "--all").code == 0
    assert claims_in(filled.root / "all.json") == {"gain", "idea", "later"}


def test_an_unknown_kind_names_the_kinds_and_writes_nothing(filled: "LedgerFolder", command: "Command") -> None:
    done = command("export", "--format", "json", "--out", "out.json", "--kind", "claims")
    assert (done.code, done.err) == (2, "--kind: claims cannot be exported. Use claim, source, cost, review, protocol, run.\n")
    assert not (filled.root / "out.json").exists()
