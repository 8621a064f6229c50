"""Runs of a ledger compared: joined from their records, and written as a page or as figures."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.errors import EnvironmentFaultError, UsageError
from ledger.model.records.protocol import Protocol

if TYPE_CHECKING:
    from ledger.api.runs.runs import Runs
    from ledger.render.report.report import RunReport


def compare(runs: "Runs", names: Sequence[str]) -> "RunReport":
    """Return what one run shows, or several beside each other.

    Raises:
        UsageError: a run is not there, or is named twice.
    """
    from ledger.render.report.one_run import run_report  # parsing Markdown is only needed by pages
    from ledger.render.report.several_runs import runs_report  # parsing Markdown is only needed by pages
    from ledger.render.report.words import RunUnderProtocol  # parsing Markdown is only needed by pages

    if twice := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"{twice}: named twice. Name each run once.")
    catalogue = runs.files.catalogue
    pairs = [(run, catalogue.get(run.protocol, Protocol)) for run in map(runs.run, names)]
    if len(pairs) == 1:
        return run_report(*pairs[0], catalogue)
    return runs_report([RunUnderProtocol.of(*pair) for pair in pairs], catalogue)


def write_page(report: "RunReport", path: Path) -> Path:
    """Return the file of a comparison's page, written whole.

    Raises:
        EnvironmentFaultError: it cannot be written there.
    """
    from ledger.render.report.page import page_html  # parsing Markdown is only needed by pages

    return _write(path, page_html(report))


def write_figures(report: "RunReport", path: Path) -> tuple[Path, ...]:
    """Return the files of a comparison's ratio figures: one `.svg` with all of them, or one a load in a folder.

    Raises:
        UsageError: there is nothing to draw.
        EnvironmentFaultError: a file cannot be written there.
    """
    from ledger.render.report.ratio_chart import figures_svg  # drawing is only needed by figures

    if not report.figures:
        raise UsageError(f"{report.title}: no arm is compared with another, so there is no ratio to draw.")
    if path.suffix == ".svg" and not path.is_dir():
        return (_write(path, figures_svg(report.figures)),)
    return tuple(_write(path / f"ratios-{figure.key}.svg", figures_svg((figure,))) for figure in report.figures)


def _write(path: Path, text: str) -> Path:
    from ledger.store.files.atomic_write import write_atomically  # only needed where a file is asked for

    try:
        write_atomically(path, text.encode())
    except OSError as error:
        raise EnvironmentFaultError(f"{path} cannot be written: {error.strerror}. Name another place.") from error
    return path
