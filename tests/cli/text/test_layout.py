"""Tables and paragraphs: no line is wider than the terminal, whatever the cells hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.cli.text.layout import WIDTH, Terminal, beside, hanging, paragraph, table_lines, wrap_words
from tests.cli.compare_fixtures import too_long


@given(st.lists(st.lists(st.text(max_size=90), min_size=4, max_size=4), min_size=1, max_size=4), st.sets(st.integers(1, 3)), st.booleans())
def test_no_table_is_wider_than_the_terminal(rows: list[list[str]], numeric: set[int], has_under: bool) -> None:
    terminal = Terminal()
    shown = [[terminal.text(cell) for cell in row] for row in rows]
    lines = list(
        table_lines(("a", "b", "c", "d"), shown, frozenset(numeric), under=[terminal.text("u " * 90)] * len(rows) if has_under else ())
    )
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


def test_lines_of_a_hanging_text_end_at_the_edge() -> None:
    lines = list(hanging("word " * 30, indent=4))
    assert [len(line) for line in lines] == [78, 80]  # 15 words of 4 letters each, after 4 and after 6 columns
    assert [line[:7] for line in lines] == ["    wor", "      w"]
    assert list(hanging("a  b\n c")) == ["a b c"]
    assert list(hanging("a  b", keeps_spaces=True)) == ["a  b"]
    assert [len(line) for line in hanging("x" * 100, indent=2, hang=3)] == [80, 27]  # a long word fills the line


def test_a_text_beside_a_name_stays_in_its_column() -> None:
    lines = list(beside("name      ", "word " * 20 + "end"))
    assert lines[0].startswith("name      word word")
    assert all(line.startswith(" " * 10 + "word") for line in lines[1:])
    assert max(map(len, lines)) <= WIDTH
    assert list(beside("name  ", "")) == ["name"]


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("one two three", 7, ["one two", "three"]),
        ("onetwothree x", 5, ["onetw", "othre", "e x"]),
        ("表表表 a", 4, ["表表", "表 a"]),
        ("", 5, [""]),
    ],
)
def test_words_are_counted_in_columns(text: str, width: int, lines: list[str]) -> None:
    assert wrap_words(text, width) == lines
