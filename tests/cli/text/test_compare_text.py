"""Comparisons as lines of a terminal and as rows: what fits, what is left out, and which signs are used."""

import sys
from typing import TYPE_CHECKING

import pytest

from ledger.cli.text.compare_text import report_lines, terminal_of
from ledger.cli.text.layout import Terminal

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


def test_the_encoding_decides_the_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stream:
        encoding = "UTF-8"

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", Stream())
    assert not terminal_of(is_ascii=False).is_ascii
    Stream.encoding = "ISO-8859-1"
    assert terminal_of(is_ascii=False).is_ascii


def test_a_section_of_drawings_is_left_to_the_page(run_folder: "LedgerFolder") -> None:
    from ledger.api.runs.comparing import compare

    report = compare(run_folder.open().runs, ["one"])
    assert "By load" in [section.title for section in report.sections]
    assert "By load" not in list(report_lines(report, Terminal()))
