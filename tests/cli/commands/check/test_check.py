"""`ledger check`: findings, places and exit codes."""

import json
from typing import TYPE_CHECKING

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
