"""Tables as HTML: intervals below their values before a table turns, its foot and caption inside."""

from ledger.render.page.body import body_html


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
