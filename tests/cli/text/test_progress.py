"""Progress on standard error: lines where there is no terminal, a bar where there is one."""

import sys

import pytest

from ledger.bench.run.progress import Progress
from ledger.cli.text.progress import show_progress


def state(doing: str, done: int) -> Progress:
    """A run at one moment."""
    return Progress(doing, 0, 2, done, 40, elapsed_s=float(done), left_s=240.0)


def test_without_a_terminal_a_line_is_printed_when_what_is_done_changes(capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress() as report:
        for done, doing in ((1, "base at c1"), (2, "base at c1"), (3, "ngram at c1")):
            report(state(doing, done))
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == [
        "base at c1: 1 of 40 requests, about 4 min left",
        "ngram at c1: 3 of 40 requests, about 4 min left",
    ]


def test_at_a_terminal_a_bar_is_drawn_and_removed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with show_progress() as report:
        report(state("base at c1", 10))
    screen = capsys.readouterr().err
    assert "base at c1" in screen
    assert "10/40 about 4 min left" in screen
    assert screen.endswith("\x1b[2K")  # the last line is wiped
