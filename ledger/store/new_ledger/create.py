"""A new ledger in a folder; a file that is there already stays as it is."""

from dataclasses import dataclass
from pathlib import Path

from ledger.errors import DataRefusedError, EnvironmentFaultError
from ledger.store.files.atomic_write import create_exclusively
from ledger.store.files.settings import FILE_NAME
from ledger.store.new_ledger.scaffold import SCHEMA_FOLDER, scaffold
from ledger.store.new_ledger.schemas import write_schemas


@dataclass(frozen=True, slots=True)
class NewLedger:
    """A ledger just made: which of its files were written and which were there before, relative to its root."""

    root: Path
    written: tuple[str, ...]
    kept: tuple[str, ...]


def create_ledger(folder: Path, organisation: str | None = None) -> NewLedger:
    """Make a ledger in a folder, named after it where no organisation is given.

    Raises:
        DataRefusedError: there is a ledger in the folder already; nothing was written.
        EnvironmentFaultError: the folder cannot be written.
    """
    root = folder.resolve()
    if (root / FILE_NAME).exists():
        raise DataRefusedError(f"{root} holds a ledger already. Add to it with `ledger add`, or name another folder.")
    files = scaffold(organisation or root.name or "My organisation")
    kept = tuple(path for path in files if (root / path).exists())
    written = tuple(path for path in files if path not in kept)
    try:
        write_schemas(root / SCHEMA_FOLDER)
    except OSError as error:
        raise EnvironmentFaultError(f"{root} cannot be written: {error.strerror}.") from error
    for path in written:
        create_exclusively(root / path, files[path].encode())
    return NewLedger(root, written, kept)
