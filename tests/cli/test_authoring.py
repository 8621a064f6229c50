"""`ledger add`, `supersede`, `retract`, `review` and completion, through the real command."""

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from inline_snapshot import snapshot

from ledger.model.kinds import KINDS

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder

ROOT = Path(__file__).resolve().parents[2]
BY_HAND = [kind for kind in KINDS if kind not in ("article", "edition", "run")]
CLAIM = ("add", "claim", "--label", "vendor-claimed", "--side", "technical", "--subject", "demo/ngram")
NO_GIT_NAME = {"HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}


@pytest.fixture(autouse=True)
def _no_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GIT_AUTHOR_NAME", raising=False)
    for name, value in NO_GIT_NAME.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def page_folder(ledger_folder: "LedgerFolder") -> "LedgerFolder":
    ledger_folder.add_page()
    ledger_folder.add("claim", "drafts", author="A. Uthor")
    return ledger_folder


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


def test_supersede_retract_review_and_check(page_folder: "LedgerFolder", command: "Command") -> None:
    quantity = {"name": "speedup", "metric": "output-speedup", "value": "2.8", "unit": "x"}
    page_folder.add("claim", "fast", statement="It gave {speedup}.", quantities=[quantity], author="A. Uthor")
    before = (page_folder.root / "records/claims/fast.toml").read_bytes()
    sets = ("--set", "quantities.speedup.value=2.3", "--set", "caveats=one set", "--set", "asserted-on=2025-02")
    done = command("supersede", "fast", "--id", "fast-2", "--because", "correction", "--reason", "Misread.", *sets)
    assert (done.code, done.out) == (0, "records/claims/fast-2.toml\n"), done.err
    text = (page_folder.root / "records/claims/fast-2.toml").read_text()
    assert 'value = "2.3"' in text
    assert 'supersedes = { id = "fast", because = "correction", reason = "Misread." }' in text
    done = command("review", "fast-2", "page", "--verdict", "accepted", "--aspect", "locator", "--reviewer", "R. Eader")
    assert done.code == 0, done.err
    assert len(done.out.splitlines()) == 2
    assert command("retract", "fast-2", "--reason", "Withdrawn.").out == "records/retractions/fast-2-retraction.toml\n"
    assert (page_folder.root / "records/claims/fast.toml").read_bytes() == before
    assert page_folder.codes() == []


@pytest.mark.parametrize("text", ["caveats", "=x", "a b=c", 'quantities.0={ name = "x"'])
def test_a_change_of_the_wrong_form_is_refused(text: str, page_folder: "LedgerFolder", command: "Command") -> None:
    done = command("supersede", "drafts", "--id", "d2", "--because", "change", "--reason", "r", "--set", text)
    assert (done.code, "--set" in done.err) == (2, True), done.err


def test_an_aspect_that_does_not_exist_is_refused(page_folder: "LedgerFolder", command: "Command") -> None:
    done = command("review", "drafts", "--verdict", "accepted", "--aspect", "spelling", "--reviewer", "R")
    assert done.code == 4
    assert '"spelling"' in done.err


class TestDetachedHeadWithoutIdentity:
    """C38: detached HEAD, no name in git."""

    @pytest.fixture
    def detached(self, page_folder: "LedgerFolder") -> "LedgerFolder":
        page_folder.git("init", "-q")
        page_folder.git("add", ".")
        page_folder.git("commit", "-qm", "one")
        page_folder.git("checkout", "-q", "--detach")
        page_folder.add("claim", "untracked", statement="Later.")
        return page_folder

    def test_reading_works_and_a_build_would_name_the_commit(self, detached: "LedgerFolder") -> None:
        for command in (("claims", "--as-of", "2025-02-01"), ("check",), ("show", "drafts"), ("log", "drafts"), ("doctor",)):
            done = detached.run(*command, **NO_GIT_NAME)
            assert (done.returncode, "Traceback" in done.stderr) == (0, False), (command, done.stderr)
        assert "detached" in detached.run("doctor", **NO_GIT_NAME).stdout

    def test_a_review_stops_with_one_line_and_touches_nothing(self, detached: "LedgerFolder") -> None:
        before = {path: path.read_bytes() for path in detached.root.rglob("*") if path.is_file() and ".ledger" not in path.parts}
        done = detached.run("review", "untracked", "--verdict", "accepted", "--aspect", "locator", **NO_GIT_NAME)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (3, "", 1)
        for words in ("user.name", "user.email", "--reviewer"):
            assert words in done.stderr
        after = {path: path.read_bytes() for path in detached.root.rglob("*") if path.is_file() and ".ledger" not in path.parts}
        assert after == before

    def test_adding_works_and_invents_no_author(self, detached: "LedgerFolder") -> None:
        done = detached.run(*CLAIM, "--id", "new", "--statement", "S", "--source", "page", "--locator", "l", **NO_GIT_NAME)
        assert done.returncode == 0, done.stderr
        assert "author" not in (detached.root / "records/claims/new.toml").read_text()


def complete(folder: "LedgerFolder", line: str) -> list[str]:
    words = line.split(" ")
    done = folder.run(COMP_WORDS=line, COMP_CWORD=str(len(words) - 1), _LEDGER_COMPLETE="complete_bash")
    assert done.stderr == ""
    return done.stdout.split()


def test_a_shell_completes_ids_choices_and_kinds(page_folder: "LedgerFolder") -> None:
    page_folder.write(
        "records/claims/several.toml", (page_folder.root / "records/claims/drafts.toml").read_text().replace("drafts", "dr-2")
    )
    for command in ("show", "log", "retract", "supersede", "review", "review drafts"):
        assert complete(page_folder, f"ledger {command} dr") == ["dr-2", "drafts"]
    assert complete(page_folder, "ledger add claim --source p") == ["page"]
    assert complete(page_folder, "ledger add claim --source d") == []
    assert complete(page_folder, "ledger add claim --label ven") == ["vendor-claimed"]
    assert complete(page_folder, "ledger add c") == ["claim", "cost"]


def test_completion_is_silent_where_there_is_nothing_to_complete(tmp_path: Path, page_folder: "LedgerFolder") -> None:
    page_folder.write("ledger.toml", "organisation = ")
    assert complete(page_folder, "ledger show d") == []
    (page_folder.root / "ledger.toml").unlink()
    assert complete(page_folder, "ledger show d") == []


def at_terminal(folder: "LedgerFolder", typed: list[str], *arguments: str) -> tuple[int, str]:
    """Run the command at a terminal of its own; each text is typed once a question waits. Return exit status and screen."""
    screen, status = "", None
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder.root)
        env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "TERM": "dumb", "COLUMNS": "80", **NO_GIT_NAME}
        os.execve(sys.executable, [sys.executable, "-c", "from ledger.cli.main import main; main()", *arguments], env)  # the command itself
    answers = iter(typed)
    deadline = time.monotonic() + 60
    while status is None and time.monotonic() < deadline:
        ready, _, _ = select.select([terminal], [], [], 0.3)
        try:
            chunk = os.read(terminal, 65536).decode(errors="replace") if ready else ""
        except OSError:
            chunk = None  # type: ignore[assignment]  # the other side is closed
        screen += chunk or ""
        if chunk == "" and screen.rstrip(" ").endswith((":", "?")) and (answer := next(answers, None)) is not None:
            os.write(terminal, answer.encode())
        if chunk is None:
            status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(terminal)
    assert status is not None, screen
    return status, screen


def test_at_a_terminal_it_asks_completes_and_checks_each_answer(page_folder: "LedgerFolder") -> None:
    typed = [
        *("guess\n", "vendor-claimed\n", "technical\n", "demo/ngram\n", "It gave {speedup}.\n"),  # a wrong label is asked for again
        *("pa\t\n", "second section\n", "2025-02-30\n", "2025-02\n"),  # TAB completes `page`; a day outside the calendar is told
        *('{ name = "speedup", metric = "output-speedup", value = "2.8", unit = "x" }\n', "\n"),
    ]
    status, screen = at_terminal(page_folder, typed, "add", "claim")
    assert status == 0, screen
    assert "One of vendor-claimed, proposed, measured." in screen
    assert 'got "guess"' in screen
    assert "a day that is in the calendar" in screen
    text = (page_folder.root / "records/claims/demo-ngram-it-gave.toml").read_text()
    assert 'source = "page"' in text
    assert 'asserted_on = "2025-02"' in text


def test_a_refusal_at_a_terminal_loses_no_answer(page_folder: "LedgerFolder") -> None:
    options = ("--label", "vendor-claimed", "--side", "technical", "--subject", "a", "--source", "page")
    typed = ["It gave 2x more.\n", "second section\n", "2025-02\n", "\n", "statement\n", "It gave more.\n"]
    status, screen = at_terminal(page_folder, typed, "add", "claim", *options)
    assert status == 0, screen
    assert "[LEDG032]" in screen
    text = (page_folder.root / "records/claims/a-it-gave-more.toml").read_text()
    assert ('statement = "It gave more."' in text, 'locator = "second section"' in text) == (True, True)


def test_the_end_of_the_input_stops_and_writes_nothing(page_folder: "LedgerFolder") -> None:
    before = sorted(page_folder.root.rglob("*.toml"))
    status, screen = at_terminal(page_folder, ["\x04"], "add", "source")
    assert (status, "stopped; nothing was written" in screen, "Traceback" in screen) == (2, True, False)
    assert sorted(page_folder.root.rglob("*.toml")) == before
