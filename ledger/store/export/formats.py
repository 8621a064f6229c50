"""The formats of an export by name, and how one is written. Each format's library loads with that format only."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ledger.errors import UsageError
from ledger.store.files.atomic_write import write_atomically

if TYPE_CHECKING:
    from ledger.store.export.tables import Export, Writer

ExportFormat = Literal["csv", "xlsx", "json", "jsonld", "parquet", "sqlite"]


def write_export(export: "Export", form: ExportFormat, out: Path) -> list[Path]:
    """Write an export and return its files: `out` itself, or one file a table in the folder `out`.

    A format of one file a table writes the first table alone where `out` ends like one of its files.

    Raises:
        UsageError: a folder stands where a file is to be, or the other way round.
    """
    files = writer_of(form)(export)
    if len(files) > 1 and out.suffix == f".{form}":
        files = dict([next(iter(files.items()))])
    if len(files) == 1:
        files = {"": next(iter(files.values()))}
    if out.is_dir() if "" in files else out.is_file():
        raise UsageError(f"{out}: is a {'folder' if out.is_dir() else 'file'}. Give another --out.")
    paths = [out / name if name else out for name in files]
    for path, content in zip(paths, files.values(), strict=True):
        write_atomically(path, content)
    return paths


def writer_of(form: ExportFormat) -> "Writer":
    """Return what makes the files of a format."""
    match form:
        case "csv":
            from ledger.store.export.csv_file import csv_files as writer
        case "xlsx":
            from ledger.store.export.xlsx_file import xlsx_file as writer
        case "json":
            from ledger.store.export.json_file import json_file as writer
        case "jsonld":
            from ledger.store.export.jsonld_file import jsonld_file as writer
        case "parquet":
            from ledger.store.export.parquet_file import parquet_files as writer
        case "sqlite":
            from ledger.store.export.sqlite_file import sqlite_file as writer
    return writer
