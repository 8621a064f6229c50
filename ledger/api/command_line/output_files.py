"""Files that a command writes where it is told to: whole or not at all."""

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.errors import EnvironmentFaultError
from ledger.store.files.atomic_write import write_atomically

if TYPE_CHECKING:
    from ledger.store.index.views import Type


def write_output(path: Path, content: bytes) -> None:
    """Write a file, and its folder where there is none; a file that is there is replaced.

    Raises:
        EnvironmentFaultError: the place cannot be written; what was there stays.
    """
    try:
        write_atomically(path, content)
    except OSError as error:
        raise EnvironmentFaultError(f"{path}: cannot be written: {error.strerror}. Name another file with --out.") from error


def workbook_bytes(
    columns: "Mapping[str, Type]", rows: Sequence[Sequence[str | int | float | None]], *, about: Mapping[str, str], as_of: date
) -> bytes:
    """Return a workbook of one sheet with typed cells, after a sheet that says what was asked.

    Args:
        columns: Type by name, in order.
        rows: The cells of each row, in the columns' order; days are ISO text, exact decimals text.
        about: What the first sheet says, by name; `organisation` is among them.
        as_of: The day of the file's properties, so that the same list gives the same bytes.
    """
    from ledger.store.export.tables import Export, ExportTable  # SQL is only needed by exports
    from ledger.store.export.xlsx_file import xlsx_file
    from ledger.store.index.views import Column

    table = ExportTable("rows", tuple(Column(name, kind, "", "") for name, kind in columns.items()), tuple(map(tuple, rows)))
    return xlsx_file(Export((table,), about, as_of))[""]
