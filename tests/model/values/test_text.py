"""Text that may come from anywhere, made harmless for a terminal, a line and a spreadsheet."""

import pytest

from ledger.model.values.text import one_line, spreadsheet_text, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, with ümlauts", "plain, with ümlauts"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\u202eb", "a\\u202eb"),
        ("a\nb\tc", "a\nb\tc"),
        ("a\rb", "a\\x0db"),
        ("\ue000", "\\ue000"),
    ],
)
def test_control_codes_and_overrides_are_shown_and_do_nothing(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_one_line_folds_white_space() -> None:
    assert one_line("  a \n\n b\t\x07") == "a b \\x07"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("  @sum", "'  @sum"),
        ("＝1", "'＝1"),
        ("-2.5", "-2.5"),
        ("+1e-3", "+1e-3"),
        ("-2.5 of them", "'-2.5 of them"),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_nothing_in_a_cell_is_run_as_a_formula(text: str, cell: str) -> None:
    assert spreadsheet_text(text) == cell
