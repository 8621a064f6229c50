"""The files of a new ledger: settings that are read, and examples that are valid once copied."""

import tomllib
from pathlib import Path

import yaml

from ledger.api import Ledger
from ledger.store.files.settings import Settings
from ledger.store.new_ledger.scaffold import EXAMPLES, scaffold


def test_the_settings_are_those_of_the_organisation_named() -> None:
    settings = Settings.model_validate(tomllib.loads(scaffold('Ada\'s "Works" \\ Co')["ledger.toml"]))
    assert settings == Settings(organisation='Ada\'s "Works" \\ Co')


def test_every_example_is_valid_where_it_says_that_it_is_to_be_copied(tmp_path: Path) -> None:
    (tmp_path / "ledger.toml").write_text(scaffold("Works")["ledger.toml"])
    for path, content in EXAMPLES.items():
        target = tmp_path / path.removesuffix(".example")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)
    ledger = Ledger.open(tmp_path)
    assert {entry.record.KIND for entry in ledger.catalogue} == {"source", "claim", "cost", "protocol", "article"}
    faults = [problem for problem in ledger.check() if problem.severity == "error"]
    assert [(problem.code, problem.record) for problem in faults] == [("LEDG011", "example-drafting-plan")]  # its workload is the user's


def test_hooks_and_editor_settings_can_be_parsed() -> None:
    files = scaffold("Works")
    assert yaml.safe_load(files[".pre-commit-config.yaml"])["repos"][0]["hooks"][0]["entry"] == "ledger check"
    assert yaml.safe_load(files[".github/workflows/ledger.yml"])["jobs"]["check"]["steps"][0]["with"]["fetch-depth"] == 0
    assert tomllib.loads(files[".taplo.toml"])["rule"][0]["schema"]["path"] == ".ledger-schema/records.schema.json"
    assert tomllib.loads(files["tombi.toml"])["schemas"][1]["include"] == ["ledger.toml"]
