"""`ledger show`, `check` and `schema`, exit codes, and what every command says to a mistake."""

import json
from typing import TYPE_CHECKING

import jsonschema
import pytest
from inline_snapshot import snapshot

from ledger.model.kinds import KINDS

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_check_is_quiet_and_0_when_clean(command: "Command", filled: "LedgerFolder") -> None:
    done = command("check")
    assert (done.code, done.out) == (0, "")
    assert done.err == "7 records checked: 0 errors, 0 warnings.\n"


def test_check_tells_every_fault_and_ends_with_1(command: "Command", filled: "LedgerFolder") -> None:
    filled.add("claim", "bad", source="pag", statement="It is cheaper.")
    filled.write("records/z.toml", "x = [\n")
    done = command("check")
    assert done.code == 1
    assert done.err == "8 records checked: 2 errors, 1 warnings.\n"
    lines = done.out.splitlines()
    assert [line.split(":", 3)[:3] for line in lines] == [
        ["records/claims/bad.toml", "6", "13"],
        ["records/claims/bad.toml", "7", "10"],
        ["records/z.toml", "1", "6"],
    ]
    assert "warning: " in lines[0]
    assert lines[1].endswith('bad: source: no record has the id "pag". Did you mean page? [LEDG011]')


def test_a_warning_alone_ends_with_0(command: "Command", filled: "LedgerFolder") -> None:
    filled.add("claim", "words", statement="It is cheaper.")
    assert command("check").code == 0


def test_check_as_json_holds_the_same_findings(command: "Command", filled: "LedgerFolder") -> None:
    filled.add("claim", "bad", source="pag")
    done = command("check", "--format", "json")
    [problem] = json.loads(done.out)
    assert (done.code, problem["code"], problem["path"], problem["line"], problem["column"]) == (
        1,
        "LEDG011",
        "records/claims/bad.toml",
        7,
        10,
    )
    assert problem["remedy"] == "Did you mean page?"


def test_check_of_a_path_tells_only_what_lies_in_it(command: "Command", filled: "LedgerFolder") -> None:
    filled.add("claim", "bad", source="pag")
    filled.add("cost", "bad-too", source="pag", item="demo/other")
    assert [line.split(":")[0] for line in command("check", "records/costs").out.splitlines()] == ["records/costs/bad-too.toml"]
    assert command("check", "records/claims/idea.toml").code == 0
    assert len(command("check", ".").out.splitlines()) == 2


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


@pytest.mark.parametrize("kind", [None, *KINDS])
def test_schema_is_a_valid_json_schema(kind: str | None, command: "Command", ledger_folder: "LedgerFolder") -> None:
    done = command("schema", *([kind] if kind else []))
    schema = json.loads(done.out)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert list(schema["properties"]) == ([kind] if kind else list(KINDS))


def test_the_schema_accepts_what_the_reader_accepts_and_refuses_an_unknown_key(command: "Command", filled: "LedgerFolder") -> None:
    validator = jsonschema.Draft202012Validator(json.loads(command("schema").out))
    for entry in filled.catalogue():
        row = entry.record.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        assert list(validator.iter_errors({entry.record.KIND: [row]})) == []
        assert list(validator.iter_errors({entry.record.KIND: [{**row, "colour": "red"}]}))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "gian"), "gian: no such record. Did you mean gain"),
        (("claims", "--as-of", "yesterday"), '--as-of: got "yesterday", expected a whole day as YYYY-MM-DD.'),
        (("claims", "--as-of", "2026-02-29"), "--as-of: got 2026-02-29, expected a day that is in the calendar."),
        (("claims", "--as-of", "20250101"), '--as-of: got "20250101", expected a whole day as YYYY-MM-DD.'),
        (("costs", "--as-of", "0026-01-01"), "--as-of: got the year 0026, expected 1970 to 2199."),
        (("show", "gain", "--as-of", "2199-01-01"), "--as-of: 2199-01-01 lies in the future"),
        (("schema", "clam"), "clam: no such kind. Use one of source, claim"),
        (("check", "nowhere.toml"), "nowhere.toml: no such file or folder."),
        (("check", "/"), "/: outside the ledger at "),
        (("--ledger", "/", "claims"), "no ledger.toml here or above."),
    ],
)
def test_a_mistake_is_told_in_one_line_and_ends_with_2(
    arguments: tuple[str, ...], message: str, command: "Command", filled: "LedgerFolder"
) -> None:
    done = command(*arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("claims", "--format", "yaml"),
        ("claims", "--label", "guessed"),
        ("claims", "--side", "both"),
        ("sources", "--relation", "friend"),
        ("costs", "--kind", "spit"),
        ("claims", "--bogus"),
        ("bogus",),
        ("show",),
    ],
    ids=" ".join,
)
def test_a_wrong_option_is_named_and_ends_with_2(arguments: tuple[str, ...], command: "Command", filled: "LedgerFolder") -> None:
    done = command(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[-1].startswith("Error: ")
    assert any(word.strip("-") in done.err.splitlines()[-1] for word in (*arguments, "ID"))
    assert "Traceback" not in done.err


def test_outside_a_ledger_every_command_ends_with_2(command: "Command", filled: "LedgerFolder") -> None:
    (filled.root / "ledger.toml").unlink()
    for arguments in (("claims",), ("sources",), ("costs",), ("show", "x"), ("check",)):
        done = command(*arguments)
        assert (done.code, done.err) == (
            2,
            ".: no ledger.toml here or above. Run the command inside a ledger, or name one with --ledger DIR.\n",
        )


def test_a_fault_in_ledger_toml_ends_with_4_and_its_place(command: "Command", filled: "LedgerFolder") -> None:
    filled.write("ledger.toml", "\norganization = 'T'\n[paths]\ncache = '/tmp'\n")
    done = command("claims")
    assert (done.code, done.out) == (4, "")
    assert done.err.splitlines() == [
        "ledger.toml:1:1: organisation: missing. Add it. [LEDG003]",
        "ledger.toml:2:1: organization: unknown key. Did you mean organisation? [LEDG003]",
        'ledger.toml:4:9: paths.cache: got "/tmp", expected a path below the ledger. Mend the value. [LEDG003]',
        "ledger.toml is refused: 3 finding(s).",
    ]


def test_an_id_used_twice_answers_nothing(command: "Command", filled: "LedgerFolder") -> None:
    filled.add("claim", "gain", file="records/other.toml")
    done = command("show", "gain")
    assert done.code == 2
    assert "gain: used by records/other.toml and records/claims/gain.toml. Rename all but one." in done.err
    assert "gain" not in [row["id"] for row in json.loads(command("claims", "--all", "--format", "json").out)]
