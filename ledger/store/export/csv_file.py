"""CSV: one file a table, safe to open in a spreadsheet, decimals as written."""

import csv
import io

from ledger.model.values.text import spreadsheet_text
from ledger.store.export.tables import Export, ExportTable


def csv_files(export: Export) -> dict[str, bytes]:
    """Return `TABLE.csv` for each table."""
    return {f"{table.name}.csv": csv_bytes(table) for table in export.tables}


def csv_bytes(table: ExportTable) -> bytes:
    """Return one table as UTF-8 CSV with a header."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(column.name for column in table.columns)
    writer.writerows(["" if value is None else spreadsheet_text(str(value)) for value in row] for row in table.rows)
    return stream.getvalue().encode()
