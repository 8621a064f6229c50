"""Every format by name; each library loads with its own format only."""

from collections.abc import Callable
from pathlib import Path

from ledger.errors import UsageError
from ledger.store.export.tables import Export, Writer
from ledger.store.files.atomic_write import write_atomically


def _csv() -> Writer:
    from ledger.store.export.csv_file import csv_files

    return csv_files


def _xlsx() -> Writer:
    from ledger.store.export.xlsx_file import xlsx_file

    return xlsx_file


def _json() -> Writer:
    from ledger.store.export.json_file import json_file

    return json_file


def _jsonld() -> Writer:
    from ledger.store.export.jsonld_file import jsonld_file

    return jsonld_file


def _parquet() -> Writer:
    from ledger.store.export.parquet_file import parquet_files

    return parquet_files


def _sqlite() -> Writer:
    from ledger.store.export.sqlite_file import sqlite_file

    return sqlite_file


WRITERS: dict[str, Callable[[], Writer]] = {
    "csv": _csv,
    "xlsx": _xlsx,
    "json": _json,
    "jsonld": _jsonld,
    "parquet": _parquet,
    "sqlite": _sqlite,
}


def write_export(export: Export, form: str, out: Path) -> list[Path]:
    """Write an export and return its files: `out` itself, or one file a table in the folder `out`.

    A format of one file a table writes the first table alone where `out` ends like one of its files.

    Raises:
        UsageError: a folder stands where a file is to be, or the other way round.
    """
    files = WRITERS[form]()(export)
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
