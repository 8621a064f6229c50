"""`ledger bench compare`: lines that fit a terminal, figures in signs it can show, files on request, rows for programs."""

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder
from tests.cli.compare_fixtures import too_long, with_run

HOSTILE = "<b>x</b> \x1b[2J\x1b[31mRED \u202eabc | fake | {{ 7 }} 表" + "w" * 120


ACTING = ("\x1b", "\u202e")


def test_a_run_is_told_in_80_columns(command: "Command", run_folder: "LedgerFolder") -> None:
    done = command("bench", "compare", "one")
    assert (done.code, done.err) == (0, "")
    assert too_long(done.out) == []
    assert "measured, planned · run one · protocol plan (m1:" in done.out
    assert "faster  at most 0.9x  0.75" in done.out
    assert "─●─" in done.out
    assert "┊ TPOT, median, ngram: rule faster: at most 0.9x" in done.out


def test_two_runs_stand_side_by_side_in_80_columns(command: "Command", run_folder: "LedgerFolder") -> None:
    with_run(run_folder, "two", planned=False, status="partial", environment={"hardware": "another CPU"})
    done = command("bench", "compare", "one", "two")
    assert done.code == 0
    assert too_long(done.out) == []
    assert done.out.index("is partial") < done.out.index("What differs") < done.out.index("Load c1")
    assert "B / A, unpaired" in " ".join(done.out.split())


@pytest.mark.parametrize("how", ["--ascii", "NO_COLOR"])
def test_plain_signs_carry_the_figure_too(
    how: str, command: "Command", run_folder: "LedgerFolder", monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == "NO_COLOR":
        monkeypatch.setenv("NO_COLOR", "1")
    done = command("bench", "compare", "one", *([how] if how.startswith("--") else []))
    assert done.out.isascii()
    assert too_long(done.out) == []
    assert "-o-" in done.out
    assert "! TPOT, median, ngram: rule faster: at most 0.9x" in done.out


def test_a_terminal_that_is_not_utf8_gets_plain_signs(run_folder: "LedgerFolder") -> None:
    done = run_folder.run("bench", "compare", "one", PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()
    assert done.stdout.count("o") > 5


@pytest.mark.parametrize("is_ascii", [False, True])
def test_record_text_neither_acts_nor_widens_a_line(
    is_ascii: bool, command: "Command", run_folder: "LedgerFolder", monkeypatch: pytest.MonkeyPatch
) -> None:
    verdict = {"rule": "faster", "outcome": "pass", "because": f"below; {HOSTILE}"}
    with_run(run_folder, "bad", environment={"hardware": HOSTILE, HOSTILE: HOSTILE}, deviations=[HOSTILE], verdicts=[verdict])
    for runs in (["bad"], ["one", "bad"]):
        done = command("bench", "compare", *runs, *(["--ascii"] if is_ascii else []))
        assert done.code == 0
        assert not any(sign in done.out for sign in ACTING)
        assert too_long(done.out) == []
        assert "<b>x</b>" in done.out


def test_files_are_written_and_named(command: "Command", run_folder: "LedgerFolder") -> None:
    done = command("bench", "compare", "one", "--html", "out/page.html", "--svg", "out/ratios.svg")
    assert done.out.splitlines() == ["out/page.html", "out/ratios.svg"]
    first = [(run_folder.root / name).read_bytes() for name in done.out.splitlines()]
    command("bench", "compare", "one", "--html", "out/page.html", "--svg", "out/ratios.svg")
    assert [(run_folder.root / name).read_bytes() for name in done.out.splitlines()] == first
    assert command("bench", "compare", "one", "--svg", "out").out.splitlines() == ["out/ratios-c1.svg"]


def test_a_run_without_comparisons_has_no_figure_to_write(command: "Command", run_folder: "LedgerFolder") -> None:
    with_run(run_folder, "bare", comparisons=[])
    done = command("bench", "compare", "bare", "--svg", "x.svg")
    assert done.code == 2
    assert "no ratio to draw" in done.err
    assert not (run_folder.root / "x.svg").exists()


def test_faults_of_use_are_told(command: "Command", run_folder: "LedgerFolder") -> None:
    assert "named twice" in command("bench", "compare", "one", "one").err
    assert "no such run" in command("bench", "compare", "none").err
    assert command("bench", "compare", "one", "--html", "p.html", "--format", "json").code == 2
    (run_folder.root / "taken").mkdir()
    assert command("bench", "compare", "one", "--html", "taken").code == 3


def test_programs_get_one_list_for_all_runs(command: "Command", run_folder: "LedgerFolder") -> None:
    with_run(run_folder, "two", planned=False)
    rows = json.loads(command("bench", "compare", "one", "two", "--format", "json").out)
    assert {(row["run"], row["planned"], row["label"]) for row in rows} == {("one", True, "measured"), ("two", False, "measured")}
    assert {row["unit"] for row in rows if row["base"]} == {"ratio"}
