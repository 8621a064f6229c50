"""Ids that begin with some letters, fast: from the index, and from a look at the record files without parsing them."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from ledger.model.kinds import FOLDERS
from ledger.store.files.record_files import RecordFiles
from ledger.store.files.settings import Settings

MOST_FILES_READ = 3_000
"""Above that many files their names alone are looked at: the command line names a file by its id."""
_ID = re.compile(rb'^\s*"?id"?\s*[=:]\s*"([a-z0-9-]+)"', re.MULTILINE)


def ids_with_prefix(root: Path, settings: Settings, prefix: str, *, kind: str | None = None, limit: int = 200) -> list[str]:
    """Return ids of a kind, or of any, that begin with `prefix`, in order."""
    ids = {*_in_files(RecordFiles(root, settings), kind), *_in_index(root / settings.paths.cache, prefix, kind, limit=limit)}
    return sorted(record_id for record_id in ids if record_id.startswith(prefix))[:limit]


def _in_files(files: RecordFiles, kind: str | None) -> Iterator[str]:
    folder = f"{files.settings.paths.records}/" + (f"{FOLDERS[kind]}/" if kind else "")
    paths = [path for path in files.paths() if path.startswith(folder)]
    for path in paths:
        if path.endswith(".md") or len(paths) > MOST_FILES_READ:
            yield path.rpartition("/")[2].rpartition(".")[0]
        else:
            yield from (match.decode() for match in _top_ids((files.root / path).read_bytes()))


def _top_ids(content: bytes) -> list[bytes]:
    """Return the ids that stand at the beginning of a line; in JSON the first one, since its parts have ids of their own."""
    ids = _ID.findall(content)
    return ids[:1] if content[:1] == b"{" else ids


def _in_index(cache: Path, prefix: str, kind: str | None, *, limit: int) -> list[str]:
    path = cache / "index.sqlite"
    if not path.is_file():
        return []
    query = "SELECT id FROM recordrow WHERE id >= ? AND id < ?" + (" AND kind = ?" if kind else "") + " ORDER BY id LIMIT ?"
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        values = (prefix, f"{prefix}\U0010ffff", *([kind] if kind else []), limit)
        return [row[0] for row in connection.execute(query, values)]
