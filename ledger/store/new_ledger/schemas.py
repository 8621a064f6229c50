"""JSON Schemas as files, for editors: one a kind, one for any record file, one for `ledger.toml`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ledger.model.kinds import KINDS
from ledger.model.schema import file_schema
from ledger.store.files.atomic_write import write_atomically
from ledger.store.files.settings import Settings

ANY_RECORDS = "records.schema.json"
SETTINGS = "ledger.schema.json"


def schema_files() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield name and content of every schema file; an article's is of its front matter."""
    yield SETTINGS, {"$schema": "https://json-schema.org/draft/2020-12/schema"} | Settings.model_json_schema()
    yield ANY_RECORDS, file_schema([kind for kind in KINDS if kind != "article"])
    for kind in KINDS:
        yield f"{kind}.schema.json", file_schema([kind])


def write_schemas(folder: Path) -> list[Path]:
    """Write every schema into a folder and return the paths; a schema that is there is replaced."""
    paths = []
    for name, schema in schema_files():
        paths.append(folder / name)
        write_atomically(paths[-1], (json.dumps(schema, indent=2, ensure_ascii=False) + "\n").encode())
    return paths
