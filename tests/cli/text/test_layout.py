"""Tables and paragraphs: no line is wider than the terminal, whatever the cells hold."""

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from ledger.cli.text.layout import Terminal, paragraph, table_lines

if TYPE_CHECKING:
    pass
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
