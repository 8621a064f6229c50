"""`ledger add KIND`, through the real command."""

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from inline_snapshot import snapshot

from ledger.model.kinds import KINDS
from tests.cli.conftest import NO_GIT_NAME
from tests.conftest import ROOT

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


BY_HAND = [kind for kind in KINDS if kind not in ("article", "edition", "run")]


CLAIM = ("add", "claim", "--label", "vendor-claimed", "--side", "technical", "--subject", "demo/ngram")


def piped(folder: "LedgerFolder", text: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    program = [sys.executable, "-c", "from ledger.cli.main import main; main()", *arguments]
    env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), **NO_GIT_NAME}
    return subprocess.run(program, cwd=folder.root, env=env, input=text, capture_output=True, text=True, check=False)


def test_every_kind_written_by_hand_has_a_command_with_its_fields(page_folder: "LedgerFolder", command: "Command") -> None:
    helped = command("add", "--help").out
    assert [line.split()[0] for line in helped.split("Commands:")[1].splitlines() if line.strip()] == BY_HAND
    for kind in BY_HAND:
        text = command("add", kind, "--help").out
        for name in KINDS[kind].model_fields:
            if name not in ("schema_", "supersedes"):
                assert f"--{name.replace('_', '-')} " in text, (kind, name)
        assert max(map(len, text.splitlines())) <= 80


def test_a_claim_is_added_by_options(page_folder: "LedgerFolder", command: "Command") -> None:
    quantities = '{ name = "speedup", metric = "output-speedup", value = "2.8", bound = "up-to", unit = "x" }'
    done = command(
        *CLAIM,
        *("--id", "faster", "--statement", "It gave {speedup}.", "--source", "page", "--locator", "s2", "--asserted-on", "2025-01"),
        *("--quantities", quantities, "--caveats", "one set", "--caveats", "one GPU", "--author", "Ada"),
    )
    assert (done.code, done.out, done.err) == (0, "records/claims/faster.toml\n", "")
    assert (page_folder.root / "records/claims/faster.toml").read_text() == snapshot(
        """\
[[claim]]
id = "faster"
label = "vendor-claimed"
side = "technical"
subject = "demo/ngram"
statement = "It gave {speedup}."
source = "page"
locator = "s2"
asserted_on = "2025-01"
quantities = [
  { name = "speedup", metric = "output-speedup", value = "2.8", bound = "up-to", unit = "x" },
]
caveats = ["one set", "one GPU"]
author = "Ada"
"""
    )


def test_a_cost_is_added_with_numbers_words_and_tables(page_folder: "LedgerFolder", command: "Command") -> None:
    terms = "item=demo/box provider=Demo basis=list price-kind=reserved amount=2.50 currency=USD per=gpu-hour gpu=H100 gpus-per-instance=8"
    terms += " includes-host=true region=eu-west term=year tax=unknown scope=list effective-from=2025-01 effective-to=open source=page"
    options = [part for term in terms.split() for part in (f"--{term.split('=')[0]}", term.split("=")[1])]
    options += ["--observed-on", "2025-01-02", "--standing", '{ state = "sound" }', "--commitment", '{ months = 12, upfront = "none" }']
    done = command("add", "cost", *options)
    assert (done.code, done.out) == (0, "records/costs/demo-box-eu-west-reserved.toml\n"), done.err
    text = (page_folder.root / "records/costs/demo-box-eu-west-reserved.toml").read_text()
    for line in ('amount = "2.50"', "gpus_per_instance = 8", "includes_host = true", 'commitment = { months = 12, upfront = "none" }'):
        assert line in text.splitlines()


def test_a_script_is_told_all_that_is_missing(page_folder: "LedgerFolder", command: "Command") -> None:
    done = command("add", "claim", "--label", "proposed")
    assert (done.code, done.out) == (2, "")
    assert done.err == "a claim needs --side, --subject, --statement. Nothing was written.\n"
    done = command("supersede", "drafts", "--because", "change")
    assert (done.code, done.err) == (2, "needs --id, --reason. Nothing was written.\n")


def test_every_finding_refuses_at_once_and_nothing_is_written(page_folder: "LedgerFolder", command: "Command") -> None:
    done = command(*CLAIM, "--id", "bad", "--statement", "It is 2x faster for 3 USD.", "--source", "pag")
    assert (done.code, done.out) == (4, "")
    assert [line.rsplit("[", 1)[-1] for line in done.err.splitlines()[:-1]] == ["LEDG011]", "LEDG020]", "LEDG032]", "LEDG040]"]
    assert done.err.splitlines()[-1] == "nothing was written: 4 finding(s)."
    assert "Did you mean page?" in done.err
    assert not (page_folder.root / "records/claims/bad.toml").exists()


def test_faulty_inline_toml_names_the_option_and_the_form(page_folder: "LedgerFolder", command: "Command") -> None:
    done = command(*CLAIM, "--id", "bad", "--statement", "S", "--quantities", "speedup: 2.8")
    assert done.code == 2
    assert done.err.startswith("--quantities: speedup: 2.8: ")
    assert 'Expected inline TOML, such as { name = "…", metric = "…", unit = "…" }.' in done.err


@pytest.mark.parametrize("head", ["", "[[claim]]\n"])
def test_a_record_comes_from_a_file_or_standard_input(head: str, page_folder: "LedgerFolder", command: "Command") -> None:
    body = 'label = "proposed"\nside = "technical"\nsubject = "a"\nstatement = "S"\nasserted_on = 2025-01-10\n'
    page_folder.write("one.toml", f'{head}id = "from-file"\n{body}')
    assert command("add", "claim", "--from", "one.toml", "--note", "n").code == 0
    assert 'note = "n"' in (page_folder.root / "records/claims/from-file.toml").read_text()
    done = piped(page_folder, f'{head}id = "from-stdin"\n{body}', "add", "claim", "--from", "-")
    assert (done.returncode, done.stdout) == (0, "records/claims/from-stdin.toml\n")


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("id = ", 4, "Mend the syntax"),
        ('[[claim]]\nid = "a"\n[[claim]]\nid = "b"\n', 4, "one record at a time"),
        ('id = "x"\nlabel = "proposed"\nside = "technical"\nsubject = "a"\nstatement = "S"\nspeedup = 2\n', 4, "unknown key"),
    ],
)
def test_a_faulty_file_is_refused(text: str, code: int, words: str, page_folder: "LedgerFolder", command: "Command") -> None:
    page_folder.write("one.toml", text)
    done = command("add", "claim", "--from", "one.toml")
    assert (done.code, words in done.err) == (code, True), done.err
    assert "Traceback" not in done.err
