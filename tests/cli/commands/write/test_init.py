"""`ledger init`: a new ledger is clean at once, its examples hold, and its snippets do what they say."""

import json
import os
import subprocess
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
import rtoml
import yaml

from ledger.model.kinds import KINDS

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


@pytest.fixture
def empty(ledger_folder: "LedgerFolder") -> "LedgerFolder":
    """A folder without a ledger."""
    (ledger_folder.root / "ledger.toml").unlink()
    return ledger_folder


@pytest.fixture
def founded(empty: "LedgerFolder") -> "LedgerFolder":
    assert empty.run("init", "--organisation", 'Works "& Sons').returncode == 0
    return empty


def test_the_first_check_is_clean(founded: "LedgerFolder") -> None:
    done = founded.run("check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "0 records checked: 0 errors, 0 warnings.\n")
    assert founded.open().settings.organisation == 'Works "& Sons'


def test_it_names_three_commands_that_work(empty: "LedgerFolder") -> None:
    done = empty.run("init", "new")
    lines = done.stdout.splitlines()
    assert lines[lines.index("Next:") + 1 :] == [
        '  cd new && git init -b main && git add . && git commit -m "ledger: begin"',
        "  ledger add source",
        "  ledger check",
    ]
    assert max(map(len, lines[1:])) <= 80
    identity = {"GIT_AUTHOR_NAME": "T", "GIT_AUTHOR_EMAIL": "t@x", "GIT_COMMITTER_NAME": "T", "GIT_COMMITTER_EMAIL": "t@x"}
    subprocess.run(["sh", "-c", lines[-3]], cwd=empty.root, env={**os.environ, **identity}, check=True, capture_output=True)
    new = type(empty)(empty.root / "new")
    assert new.git("status", "--short") == " M ledger.toml\n"  # by the fixture's own settings
    assert new.git("ls-files", ".ledger", "*.tmp") == ""


def test_a_ledger_that_is_there_is_refused_and_stays(founded: "LedgerFolder") -> None:
    before = {path: path.read_bytes() for path in founded.root.rglob("*") if path.is_file()}
    done = founded.run("init")
    assert (done.returncode, "holds a ledger already" in done.stderr) == (4, True)
    assert {path: path.read_bytes() for path in founded.root.rglob("*") if path.is_file()} == before


def test_files_that_are_there_stay(empty: "LedgerFolder") -> None:
    empty.write(".gitignore", "mine\n")
    done = empty.run("init")
    assert done.returncode == 0
    assert ".gitignore was there and stays" in done.stderr
    assert (empty.root / ".gitignore").read_text() == "mine\n"


def test_the_examples_are_valid_records(founded: "LedgerFolder") -> None:
    examples = sorted(founded.root.rglob("*.example"))
    assert len(examples) == 5
    for path in examples:
        path.rename(path.with_suffix(""))
    prompts = '{"prompt": "a"}\n'
    founded.write("records/workloads/p.jsonl", prompts)
    from hashlib import sha256

    founded.add("workload", "example-prompts", prompts="p.jsonl", count=1, sha256=sha256(prompts.encode()).hexdigest())
    assert founded.check() == []
    assert len(founded.catalogue()) == 6


def test_the_schemas_accept_the_examples_and_refuse_a_wrong_word(founded: "LedgerFolder") -> None:
    folder = founded.root / ".ledger-schema"
    assert {path.name for path in folder.iterdir()} == {f"{name}.schema.json" for name in (*KINDS, "records", "ledger")}
    schema = json.loads((folder / "records.schema.json").read_text())
    for path in founded.root.rglob("*.toml.example"):
        data = _plain(rtoml.load(path))
        jsonschema.validate(data, schema)
        [[record]] = data.values()
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({name: [{**record, "wrong": 1}] for name in data}, schema)
    settings = tomllib.loads((founded.root / "ledger.toml").read_text())
    jsonschema.validate(settings, json.loads((folder / "ledger.schema.json").read_text()))


def _plain(value: Any) -> Any:
    """TOML as an editor hands it to a schema: dates are text."""
    return json.loads(json.dumps(value, default=str))


def test_editors_find_the_schemas(founded: "LedgerFolder") -> None:
    for rule in tomllib.loads((founded.root / ".taplo.toml").read_text())["rule"]:
        assert (founded.root / rule["schema"]["path"]).is_file()
    for rule in tomllib.loads((founded.root / "tombi.toml").read_text())["schemas"]:
        assert (founded.root / rule["path"]).is_file()


def test_the_hooks_pass_before_the_first_commit_and_find_a_rewrite(founded: "LedgerFolder") -> None:
    config = yaml.safe_load((founded.root / ".pre-commit-config.yaml").read_text())
    entries = [hook["entry"].split()[1:] for repo in config["repos"] for hook in repo["hooks"]]
    assert entries == [["check"], ["verify", "--history"]]
    founded.git("init", "-q")
    assert [founded.run(*entry).returncode for entry in entries] == [0, 0]
    founded.add_page()
    founded.git("add", ".")
    founded.git("commit", "-qm", "one")
    founded.add_page(title="Another title")
    assert [founded.run(*entry).returncode for entry in entries] == [0, 1]


def test_the_ci_snippet_fetches_the_whole_history(founded: "LedgerFolder") -> None:
    workflow = yaml.safe_load((founded.root / ".github/workflows/ledger.yml").read_text())
    steps = workflow["jobs"]["check"]["steps"]
    assert steps[0]["with"]["fetch-depth"] == 0
    assert [step["run"] for step in steps if "run" in step][-2:] == ["ledger check", "ledger verify --history"]


def test_schemas_are_written_anew_by_a_command(founded: "LedgerFolder", tmp_path: Path) -> None:
    done = founded.run("schema", "--out", str(tmp_path / "schemas"))
    assert done.returncode == 0
    for path in (founded.root / ".ledger-schema").iterdir():
        assert (tmp_path / "schemas" / path.name).read_bytes() == path.read_bytes()
