"""`ledger bench compare`: lines that fit a terminal, figures in signs it can show, files on request, rows for programs."""

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ledger.cli.text.compare_text import report_lines, terminal_of
from ledger.cli.text.layout import WIDTH, Terminal, paragraph, table_lines
from ledger.cli.text.ratio_text import figure_lines
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Run
from ledger.model.values.meaning import meaning_hash
from ledger.render.report.report import Bound, Ratio, RatioFigure
from tests.conftest import DEFAULTS

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder

HOSTILE = "<b>x</b> \x1b[2J\x1b[31mRED \u202eabc | fake | {{ 7 }} 表" + "w" * 120
ACTING = ("\x1b", "\u202e")
RULE = {
    "id": "faster",
    "question": "Is it faster?",
    "metric": "run:@this#ngram~base/c1/tpot.p50",
    "bound": "at-most",
    "value": "0.9",
    "direction": "lower-is-better",
}


def with_run(folder: "LedgerFolder", run_id: str = "one", **fields: Any) -> None:
    """Write a run of the folder's plan."""
    plan = folder.catalogue().get("plan", Protocol)
    assert plan is not None
    ratio = {"value": 0.75, "unit": "ratio", "low": 0.7, "high": 0.85, "n": 80}
    base = {
        "comparisons": [{"arm": "ngram", "base": "base", "load": "c1", "metrics": {"tpot.p50": ratio}}],
        "verdicts": [{"rule": "faster", "outcome": "pass", "because": "below the bound", "direction": "better"}],
    }
    record = {"id": run_id, **DEFAULTS["run"], **base, "protocol_meaning": meaning_hash(plan), **fields}
    Run.model_validate(record)
    folder.write(f"records/runs/{run_id}.json", json.dumps({"run": [record]}))


@pytest.fixture
def folder(ledger_folder: "LedgerFolder") -> "LedgerFolder":
    """A ledger with a plan that asks one rule, and a run of it."""
    ledger_folder.add_plan()
    ledger_folder.add("protocol", "plan", rules=[RULE])
    with_run(ledger_folder)
    return ledger_folder


def too_long(text: str) -> list[str]:
    """Lines wider than a terminal of 80 columns."""
    return [line for line in text.splitlines() if cell_len(line) > WIDTH]


def test_a_run_is_told_in_80_columns(command: "Command", folder: "LedgerFolder") -> None:
    done = command("bench", "compare", "one")
    assert (done.code, done.err) == (0, "")
    assert too_long(done.out) == []
    assert "measured, planned · run one · protocol plan (m1:" in done.out
    assert "faster  at most 0.9x  0.75" in done.out
    assert "─●─" in done.out
    assert "┊ TPOT, median, ngram: rule faster: at most 0.9x" in done.out


def test_two_runs_stand_side_by_side_in_80_columns(command: "Command", folder: "LedgerFolder") -> None:
    with_run(folder, "two", planned=False, status="partial", environment={"hardware": "another CPU"})
    done = command("bench", "compare", "one", "two")
    assert done.code == 0
    assert too_long(done.out) == []
    assert done.out.index("is partial") < done.out.index("What differs") < done.out.index("Load c1")
    assert "B / A, unpaired" in " ".join(done.out.split())


@pytest.mark.parametrize("how", ["--ascii", "NO_COLOR"])
def test_plain_signs_carry_the_figure_too(how: str, command: "Command", folder: "LedgerFolder", monkeypatch: pytest.MonkeyPatch) -> None:
    if how == "NO_COLOR":
        monkeypatch.setenv("NO_COLOR", "1")
    done = command("bench", "compare", "one", *([how] if how.startswith("--") else []))
    assert done.out.isascii()
    assert too_long(done.out) == []
    assert "-o-" in done.out
    assert "! TPOT, median, ngram: rule faster: at most 0.9x" in done.out


def test_a_terminal_that_is_not_utf8_gets_plain_signs(folder: "LedgerFolder") -> None:
    done = folder.run("bench", "compare", "one", PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()
    assert done.stdout.count("o") > 5


@pytest.mark.parametrize("is_ascii", [False, True])
def test_record_text_neither_acts_nor_widens_a_line(
    is_ascii: bool, command: "Command", folder: "LedgerFolder", monkeypatch: pytest.MonkeyPatch
) -> None:
    verdict = {"rule": "faster", "outcome": "pass", "because": f"below; {HOSTILE}"}
    with_run(folder, "bad", environment={"hardware": HOSTILE, HOSTILE: HOSTILE}, deviations=[HOSTILE], verdicts=[verdict])
    for runs in (["bad"], ["one", "bad"]):
        done = command("bench", "compare", *runs, *(["--ascii"] if is_ascii else []))
        assert done.code == 0
        assert not any(sign in done.out for sign in ACTING)
        assert too_long(done.out) == []
        assert "<b>x</b>" in done.out


def test_files_are_written_and_named(command: "Command", folder: "LedgerFolder") -> None:
    done = command("bench", "compare", "one", "--html", "out/page.html", "--svg", "out/ratios.svg")
    assert done.out.splitlines() == ["out/page.html", "out/ratios.svg"]
    first = [(folder.root / name).read_bytes() for name in done.out.splitlines()]
    command("bench", "compare", "one", "--html", "out/page.html", "--svg", "out/ratios.svg")
    assert [(folder.root / name).read_bytes() for name in done.out.splitlines()] == first
    assert command("bench", "compare", "one", "--svg", "out").out.splitlines() == ["out/ratios-c1.svg"]


def test_a_run_without_comparisons_has_no_figure_to_write(command: "Command", folder: "LedgerFolder") -> None:
    with_run(folder, "bare", comparisons=[])
    done = command("bench", "compare", "bare", "--svg", "x.svg")
    assert done.code == 2
    assert "no ratio to draw" in done.err
    assert not (folder.root / "x.svg").exists()


def test_faults_of_use_are_told(command: "Command", folder: "LedgerFolder") -> None:
    assert "named twice" in command("bench", "compare", "one", "one").err
    assert "no such run" in command("bench", "compare", "none").err
    assert command("bench", "compare", "one", "--html", "p.html", "--format", "json").code == 2
    (folder.root / "taken").mkdir()
    assert command("bench", "compare", "one", "--html", "taken").code == 3


def test_programs_get_one_list_for_all_runs(command: "Command", folder: "LedgerFolder") -> None:
    with_run(folder, "two", planned=False)
    rows = json.loads(command("bench", "compare", "one", "two", "--format", "json").out)
    assert {(row["run"], row["planned"], row["label"]) for row in rows} == {("one", True, "measured"), ("two", False, "measured")}
    assert {row["unit"] for row in rows if row["base"]} == {"ratio"}


def figure(*ratios: Ratio, bounds: tuple[Bound, ...] = ()) -> RatioFigure:
    return RatioFigure("c1", "Arm / base at c1", ratios, bounds, ("base", "ngram"), "measured, planned")


def mark(
    value: float | None, low: float | None = None, high: float | None = None, *, name: str = "ngram", saturated: bool = False
) -> Ratio:
    return Ratio("TPOT, median", name, "ngram", value, low, high, "withheld (n = 5)" if value is None else f"{value}x", 80, saturated)


def test_marks_stand_where_their_ratios_say() -> None:
    lines = list(figure_lines(figure(mark(0.5, 0.4, 0.6), mark(1.0, 0.9, 1.1), mark(2.0, 1.8, 2.4, saturated=True)), Terminal()))
    half, one, two = lines[1], lines[2], lines[3]
    assert half.index("●") < half.index("│") == one.index("●") == two.index("│") < two.index("○")
    assert abs((one.index("●") - half.index("●")) - (two.index("○") - one.index("●"))) <= 1  # logarithmic: halving and doubling lie alike
    assert half.index("├") < half.index("●") < half.index("┤")


def test_a_ratio_without_value_keeps_its_row_and_says_why() -> None:
    lines = list(figure_lines(figure(mark(0.5, 0.4, 0.6), mark(None), mark(0.0)), Terminal()))
    assert lines[2].split() == ["ngram", "withheld", "(n", "=", "5)"]
    assert lines[3].split() == ["ngram", "0.0x"]


@given(
    st.lists(st.tuples(st.floats(1e-6, 1e6), st.text(max_size=60)), min_size=1, max_size=5),
    st.booleans(),
)
def test_no_figure_is_wider_than_the_terminal(marks: list[tuple[float, str]], is_ascii: bool) -> None:
    drawn = figure(
        *(mark(value, value / 2, value * 3, name=name) for value, name in marks), bounds=(Bound("TPOT, median", "ngram", 0.9, "rule r"),)
    )
    lines = list(figure_lines(drawn, Terminal(is_ascii=is_ascii)))
    assert too_long("\n".join(lines)) == []
    assert not is_ascii or "".join(lines).isascii()


@given(st.lists(st.lists(st.text(max_size=90), min_size=4, max_size=4), min_size=1, max_size=4), st.sets(st.integers(1, 3)), st.booleans())
def test_no_table_is_wider_than_the_terminal(rows: list[list[str]], numeric: set[int], has_under: bool) -> None:
    terminal = Terminal()
    shown = [[terminal.text(cell) for cell in row] for row in rows]
    lines = list(table_lines(("a", "b", "c", "d"), shown, frozenset(numeric), [terminal.text("u " * 90)] * len(rows) if has_under else ()))
    assert too_long("\n".join(lines)) == []
    told = "".join("".join(lines).split())
    assert all(word[:3] in told for row in shown for cell in row for word in cell.split())


@given(st.text(), st.integers(0, 20), st.integers(0, 20))
def test_no_paragraph_is_wider_than_the_terminal(text: str, indent: int, hang: int) -> None:
    assert too_long("\n".join(paragraph(Terminal().text(text), indent=indent, hang=hang))) == []


def test_intervals_go_below_numbers_where_room_is_short() -> None:
    row = ["arm"] + ["1234 (1111 to 2222)"] * 3 + ["1234 (1111 to 2222) [saturated]"]
    lines = list(table_lines(("Arm", *"abcd"), [row], frozenset(range(1, 5))))
    assert lines[2].split() == ["arm", *["1234"] * 4]
    assert lines[3].split("  ")[-1] == "(1111 to 2222)"
    assert lines[4].split() == ["[saturated]"]


def test_the_encoding_decides_the_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stream:
        encoding = "UTF-8"

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", Stream())
    assert not terminal_of(is_ascii=False).is_ascii
    Stream.encoding = "ISO-8859-1"
    assert terminal_of(is_ascii=False).is_ascii


def test_a_section_of_drawings_is_left_to_the_page(folder: "LedgerFolder") -> None:
    from ledger.api.runs.comparing import compared

    report = compared(folder.open(), ["one"])
    assert "By load" in [section.title for section in report.sections]
    assert "By load" not in list(report_lines(report, Terminal()))
