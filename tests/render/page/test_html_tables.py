"""Tables as HTML: intervals below their values before a table turns, its foot and caption inside."""

import pytest

from ledger.render.citing.prose import parser
from ledger.render.page.body import body_html
from ledger.render.page.html_tables import with_tables


def table(columns: int, cell: str) -> str:
    rows = [f"c{number}" for number in range(columns)], ["---:"] * columns, [cell] * columns
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def test_intervals_go_below_their_values_before_a_table_turns() -> None:
    html = body_html(table(6, "1066 (636 to 1255)"), frozenset())
    assert '<table class="normal stacked">' in html
    assert '1066 <span class="aside">(636 to 1255)</span>' in html
    assert "stacked" not in body_html(table(4, "1066 (636 to 1255)"), frozenset())


def test_a_turned_table_waits_for_the_end_of_its_section() -> None:
    html = body_html(f"**Table 1.** Wide.\n\n{table(20, '1066.25')}\n\nAfter.\n\n## Next\n\nLast.", frozenset())
    assert html.index("After.") < html.index("Wide.") < html.index("Next")


def test_a_foot_stands_with_its_table() -> None:
    html = body_html(f"{table(2, '1')}\n\n*Note.* Why.\n\n*Note.* Not a foot.", frozenset())
    assert '</table><p class="foot"><em>Note.</em> Why.</p></div>' in html
    assert "<p><em>Note.</em> Not a foot.</p>" in html


def test_a_relation_stands_beside_its_label_in_a_table() -> None:
    html = body_html("| Label |\n| --- |\n| [vendor-claimed · user report](#label-vendor-claimed) |", frozenset())
    assert 'class="badge label-vendor-claimed">vendor-claimed</a> <span class="relation">user report</span>' in html


def tables_html(markdown: str) -> str:
    return "".join(token.content for token in with_tables(parser().parse(markdown)) if token.type == "html_block")


def test_numbers_align_except_in_the_first_column() -> None:
    html = tables_html("| a | b |\n| ---: | ---: |\n| 1 | 2 |")
    assert '<tr><th scope="col">a</th><th scope="col" class="num">b</th></tr>' in html
    assert '<tr><td>1</td><td class="num">2</td></tr>' in html


def test_rows_have_heads_where_the_corner_is_empty() -> None:
    assert '<tr><th scope="row">x</th><td>y</td></tr>' in tables_html("|   | b |\n| --- | --- |\n| x | y |")
    assert "<tr><td>x</td><td>y</td></tr>" in tables_html("| a | b |\n| --- | --- |\n| x | y |")


def test_only_a_numbered_paragraph_is_a_caption() -> None:
    grid = "| a |\n| --- |\n| 1 |"
    assert "<caption><strong>Table 12.</strong> All.</caption>" in tables_html(f"**Table 12.** All.\n\n{grid}")
    assert "<caption>" not in tables_html(f"**Table one.** All.\n\n{grid}")
    assert "<caption>" not in tables_html(f"See **Table 1.** All.\n\n{grid}")


@pytest.mark.parametrize(("corner", "rows", "is_short"), [("a", 19, True), ("a", 20, False), (" ", 29, True), (" ", 30, False)])
def test_short_tables_are_kept_on_one_page(corner: str, rows: int, is_short: bool) -> None:
    """A row takes 1.55 lines, the header too: up to 32 lines are kept, and up to 48 with heads of rows."""
    html = tables_html("\n".join([f"| {corner} | b |", "| --- | --- |", *["| x | y |"] * rows]))
    assert html.startswith(f'<div class="table normal{" short" if is_short else ""}">')


@pytest.mark.parametrize(
    ("cell", "printed"),
    [
        ("2 (1 to 3)", '2 <span class="aside">(1 to 3)</span>'),
        ("withheld (n = 40, needs 72)", 'withheld <span class="aside">(n = 40, needs 72)</span>'),
        ("2 (of 3)", "2 (of 3)"),
        ("2 (1 to 3) later", "2 (1 to 3) later"),
    ],
)
def test_only_intervals_and_sample_sizes_stand_aside(cell: str, printed: str) -> None:
    html = tables_html(f"| a | b |\n| ---: | ---: |\n| {cell} | {cell} |")
    assert f'<tr><td>{cell}</td><td class="num">{printed}</td></tr>' in html
