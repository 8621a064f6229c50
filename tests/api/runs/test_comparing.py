"""Runs compared: one, several, and the files that a comparison is written to."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.api.runs.comparing import compare, write_figures, write_page
from ledger.errors import EnvironmentFaultError, UsageError

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


def test_a_run_named_twice_or_not_there_is_refused(tested: "LedgerFolder") -> None:
    runs = tested.open().runs
    with pytest.raises(UsageError, match="ours: named twice"):
        compare(runs, ["ours", "ours"])
    with pytest.raises(UsageError, match="other: no such run"):
        compare(runs, ["ours", "other"])


def test_a_page_is_written_whole_and_a_bad_place_is_told(tested: "LedgerFolder", tmp_path: Path) -> None:
    report = compare(tested.open().runs, ["ours"])
    page = write_page(report, tmp_path / "page.html")
    assert page.read_text().lower().startswith("<!doctype html>")
    with pytest.raises(EnvironmentFaultError, match="Name another place"):
        write_page(report, page / "below-a-file.html")


def test_figures_are_one_file_or_one_a_load(tested: "LedgerFolder", tmp_path: Path) -> None:
    report = compare(tested.open().runs, ["ours"])
    assert write_figures(report, tmp_path / "all.svg") == (tmp_path / "all.svg",)
    paths = write_figures(report, tmp_path / "folder")
    assert [path.name for path in paths] == [f"ratios-{figure.key}.svg" for figure in report.figures]
    assert all("<svg" in path.read_text() for path in paths)


def test_without_a_comparison_there_is_nothing_to_draw(tested: "LedgerFolder", tmp_path: Path) -> None:
    tested.add("run", "alone", comparisons=[])
    with pytest.raises(UsageError, match="no ratio to draw"):
        write_figures(compare(tested.open().runs, ["alone"]), tmp_path / "all.svg")
    assert not (tmp_path / "all.svg").exists()
