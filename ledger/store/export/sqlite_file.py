"""SQLite: the views as tables of a database of its own, decimals as text."""

import sqlite3

from ledger.store.export.tables import Export, ExportTable

_TYPES = {"integer": "INTEGER", "boolean": "INTEGER", "number": "REAL"}


def sqlite_file(export: Export) -> dict[str, bytes]:
    """Return one database with a table for each view and `about`."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT)")
        connection.executemany("INSERT INTO about VALUES (?, ?)", export.about.items())
        for table in export.tables:
            _fill(connection, table)
        connection.commit()
        return {"": connection.serialize()}
    finally:
        connection.close()


def _fill(connection: sqlite3.Connection, table: ExportTable) -> None:
    columns = ", ".join(f"{column.name} {_TYPES.get(column.type, 'TEXT')}" for column in table.columns)
    connection.execute(f"CREATE TABLE {table.name} ({columns})")
    marks = ", ".join("?" * len(table.columns))
    connection.executemany(f"INSERT INTO {table.name} VALUES ({marks})", table.rows)
