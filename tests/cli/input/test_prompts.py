"""Questions at a terminal of their own: choices shown, ids completed, each answer checked."""

import os
import pty
import select
import sys
import time
from typing import TYPE_CHECKING

import pytest

from ledger.cli.input import prompts
from ledger.cli.input.prompts import ask_options, choose
from ledger.errors import UsageError
from tests.cli.conftest import NO_GIT_NAME
from tests.conftest import ROOT

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


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
            chunk = None  # the other side is closed
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


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What somebody types, line by line; the input ends after it."""
    lines: list[str] = []

    def answer(_: str) -> str:
        if not lines:
            raise EOFError
        return lines.pop(0)

    monkeypatch.setattr(prompts, "input", answer, raising=False)
    monkeypatch.setattr(prompts, "at_terminal", lambda: True)
    return lines


@pytest.mark.parametrize(
    ("lines", "is_list", "answer"),
    [
        (["", "no", "yes"], False, "yes"),
        (["yes,no", "yes"], False, "yes"),
        (["yes,later", "yes, maybe"], True, "yes, maybe"),
    ],
)
def test_a_choice_is_asked_for_until_it_is_one(lines: list[str], is_list: bool, answer: str, typed: list[str]) -> None:
    typed += lines
    assert choose("which? ", ("yes", "maybe"), is_list=is_list) == answer
    assert typed == []


def test_only_missing_options_are_asked_for(typed: list[str]) -> None:
    typed += ["", "change"]
    answers = ask_options({"--id": "new", "--because": None}, {"--because": ("correction", "change")})
    assert answers == {"--id": "new", "--because": "change"}


def test_where_nobody_answers_everything_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompts, "at_terminal", lambda: False)
    assert ask_options({"--id": "new"}) == {"--id": "new"}
    with pytest.raises(UsageError, match=r"^needs --id, --reason\. Nothing was written\.$"):
        ask_options({"--id": "", "--because": "change", "--reason": None})


def test_the_end_of_the_input_is_one_line(typed: list[str]) -> None:
    with pytest.raises(UsageError, match="stopped; nothing was written"):
        choose("which? ")
