"""A workbook: one sheet a table with typed cells, the exact decimal as text beside each number, and a sheet that says what was asked.

No text is ever a formula or a link. The creation date is the day that the export speaks of, so that bytes repeat.
"""

import io
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from typing import Any

from xlsxwriter import Workbook
from xlsxwriter.worksheet import Worksheet

from ledger.model.values.text import visible
from ledger.store.export.tables import Export, ExportTable, Value
from ledger.store.index.views import Column

_OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "nan_inf_to_errors": False,
}
_LONGEST = 32_767
"""Characters that a cell holds."""
_WIDEST, _NARROWEST = 60, 8


def xlsx_file(export: Export) -> dict[str, bytes]:
    """Return one workbook."""
    stream = io.BytesIO()
    workbook = Workbook(stream, _OPTIONS)
    created = datetime.combine(export.as_of, time(), UTC).replace(tzinfo=None)  # the format has no zones
    workbook.set_properties({"title": "Evidence ledger export", "author": export.about["organisation"], "created": created})
    formats = {"day": workbook.add_format({"num_format": "yyyy-mm-dd"}), "head": workbook.add_format({"bold": True, "bottom": 1})}
    _about_sheet(workbook, export, formats)
    for table in export.tables:
        _sheet(workbook.add_worksheet(table.name), table, formats)
    workbook.close()
    return {"": stream.getvalue()}


def _about_sheet(workbook: Any, export: Export, formats: dict[str, Any]) -> None:
    sheet = workbook.add_worksheet("About")
    rows = [*export.about.items(), *((f"rows in {table.name}", str(len(table.rows))) for table in export.tables)]
    for number, (name, value) in enumerate(rows):
        sheet.write_string(number, 0, name, formats["head"])
        sheet.write_string(number, 1, visible(value))
    legend = [(f"{table.name}.{column.name}", column.holds) for table in export.tables for column in table.columns]
    for number, (name, value) in enumerate(legend, len(rows) + 1):
        sheet.write_string(number, 0, name)
        sheet.write_string(number, 1, value)
    sheet.set_column(0, 0, 28)
    sheet.set_column(1, 1, 80)


def _sheet(sheet: Worksheet, table: ExportTable, formats: dict[str, Any]) -> None:
    headings = [heading for column in table.columns for heading in _headings(column)]
    widths = [len(heading) for heading in headings]
    for place, heading in enumerate(headings):
        sheet.write_string(0, place, heading, formats["head"])
    for number, row in enumerate(table.rows, 1):
        place = 0
        for column, value in zip(table.columns, row, strict=True):
            for cell, kind in _cells(column, value):
                _write(sheet, (number, place), cell, kind=kind, formats=formats)
                widths[place] = max(widths[place], len(str(cell or "")))
                place += 1
    for place, width in enumerate(widths):
        sheet.set_column(place, place, min(_WIDEST, max(_NARROWEST, width + 1)))
    sheet.freeze_panes(1, 1)
    if table.rows:
        sheet.autofilter(0, 0, len(table.rows), len(headings) - 1)


def _headings(column: Column) -> Iterator[str]:
    yield column.name
    if column.type == "decimal":
        yield f"{column.name} (exact)"


def _cells(column: Column, value: Value) -> Iterator[tuple[Value | date, str]]:
    """Yield value and kind of one cell, or two for a decimal: the number, and its exact digits as text."""
    if value is None:
        yield from [(None, "text")] * len(list(_headings(column)))
    elif column.type == "decimal":
        yield float(value), "number"
        yield str(value), "text"
    elif column.type == "day":
        yield date.fromisoformat(str(value)), "day"
    elif column.type in ("integer", "number", "boolean"):
        yield value, column.type
    else:
        yield str(value), "text"


def _write(sheet: Any, cell: tuple[int, int], value: Value | date, *, kind: str, formats: dict[str, Any]) -> None:
    """Write a value of a kind into a cell, given by row and column."""
    if value is None:
        return
    if kind == "day":
        sheet.write_datetime(*cell, value, formats["day"])
    elif kind == "boolean":
        sheet.write_boolean(*cell, bool(value))
    elif kind == "text":
        text = visible(str(value))
        sheet.write_string(*cell, text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")
    else:
        sheet.write_number(*cell, value)
