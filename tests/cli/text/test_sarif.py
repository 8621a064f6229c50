"""`ledger check --format`: text, JSON and SARIF say the same."""

import json
from typing import TYPE_CHECKING, Any

import pytest

from ledger.analysis.rules import RULES

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


@pytest.fixture
def faulty(ledger_folder: "LedgerFolder") -> "LedgerFolder":
    """A ledger with one error and one warning, in a file whose name needs escaping."""
    ledger_folder.add_page()
    ledger_folder.add("claim", "wordy", statement="Drafts are cheap.", protocol="nowhere", file="records/claims/a b#1.toml")
    return ledger_folder


def run_of(command: "Command") -> tuple[int, dict[str, Any]]:
    done = command("check", "--format", "sarif")
    log = json.loads(done.out)
    assert (log["version"], log["$schema"].endswith("sarif-schema-2.1.0.json")) == ("2.1.0", True)
    [run] = log["runs"]
    return done.code, run


def test_every_finding_has_rule_place_and_level(faulty: "LedgerFolder", command: "Command") -> None:
    code, run = run_of(command)
    assert code == 1
    found = [(result["ruleId"], result["level"]) for result in run["results"]]
    assert sorted(found) == [("LEDG011", "error"), ("LEDG042", "warning")]
    place = next(r for r in run["results"] if r["ruleId"] == "LEDG042")["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "records/claims/a%20b%231.toml"
    text = command("check").out
    assert f"records/claims/a b#1.toml:{place['region']['startLine']}:{place['region']['startColumn']}: warning:" in text


def test_rules_have_titles_and_results_point_at_them(faulty: "LedgerFolder", command: "Command") -> None:
    _, run = run_of(command)
    rules = run["tool"]["driver"]["rules"]
    titles = {rule["id"]: rule["shortDescription"]["text"] for rule in rules}
    assert {rule.code: rule.title for rule in RULES}.items() <= titles.items()
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])


def test_addresses_are_relative_to_the_repository(faulty: "LedgerFolder", command: "Command") -> None:
    (faulty.root.parent / ".git").mkdir()
    _, run = run_of(command)
    uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in run["results"]}
    assert uris == {f"{faulty.root.name}/records/claims/a%20b%231.toml"}


def test_a_clean_ledger_has_no_results(ledger_folder: "LedgerFolder", command: "Command") -> None:
    code, run = run_of(command)
    assert (code, run["results"]) == (0, [])


def test_json_names_the_record(faulty: "LedgerFolder", command: "Command") -> None:
    done = command("check", "--format", "json")
    found = json.loads(done.out)
    assert done.code == 1
    assert {(one["code"], one["record"], one["severity"]) for one in found} == {
        ("LEDG011", "wordy", "error"),
        ("LEDG042", "wordy", "warning"),
    }
    assert all(one["line"] and one["column"] and one["remedy"] for one in found)


def test_an_unknown_format_is_a_usage_error(ledger_folder: "LedgerFolder", command: "Command") -> None:
    assert command("check", "--format", "xml").code == 2
