"""`ledger show ID`: one record in full, for people and for programs."""

import json
from typing import TYPE_CHECKING

from inline_snapshot import snapshot

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_show_prints_every_field_in_80_columns(command: "Command", filled: "LedgerFolder") -> None:
    out = command("show", "gain", "--as-of", "2025-04-01").out
    assert max(map(len, out.splitlines())) <= 80
    for text in (
        "A gain of up to 2.8x.",
        "up to 2.8x (load: one user)",
        "superseded",
        "change: New release.",
        "records/claims/gain.toml:1",
        "later",
    ):
        assert text in out


def test_show_as_json_says_when_it_holds_and_what_names_it(command: "Command", filled: "LedgerFolder") -> None:
    shown = json.loads(command("show", "gain", "--as-of", "2025-01-31", "--json").out)
    picked = {name: shown[name] for name in ("kind", "state", "valid_from", "valid_to", "replaced_by", "place", "named_by")}
    assert picked == snapshot(
        {
            "kind": "claim",
            "state": "current",
            "valid_from": "2025-01-10",
            "valid_to": "2025-03-01",
            "replaced_by": "later",
            "place": "records/claims/gain.toml:1",
            "named_by": ["later"],
        }
    )
    assert shown["record"]["quantities"][0]["value"] == "2.8"


def test_an_id_used_twice_answers_nothing(command: "Command", filled: "LedgerFolder") -> None:
    filled.add("claim", "gain", file="records/other.toml")
    done = command("show", "gain")
    assert done.code == 2
    assert "gain: used by records/other.toml and records/claims/gain.toml. Rename all but one." in done.err
    assert "gain" not in [row["id"] for row in json.loads(command("claims", "--all", "--format", "json").out)]
