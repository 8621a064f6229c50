"""Every word that an option accepts has what answers it."""

from typing import get_args

from ledger.analysis.upkeep.coverage import TITLES
from ledger.api.option_types import ExportFormat, Gap
from ledger.store.export.formats import writer_of


def test_every_gap_has_a_title_and_every_format_a_writer() -> None:
    assert get_args(Gap) == tuple(TITLES)
    assert all(callable(writer_of(form)) for form in get_args(ExportFormat))
    assert len({writer_of(form) for form in get_args(ExportFormat)}) == len(get_args(ExportFormat))
