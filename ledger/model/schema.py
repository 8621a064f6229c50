"""JSON Schema of record files, for editors that complete and validate."""

from typing import Any

from pydantic.json_schema import models_json_schema

from ledger.model.kinds import KINDS


def file_schema(kinds: list[str]) -> dict[str, Any]:
    """Return the schema of a file that holds lists of these kinds."""
    models = [(KINDS[kind], "validation") for kind in kinds]
    references, schema = models_json_schema(models, title="Evidence Ledger records")  # type: ignore[arg-type]  # a list of literal modes
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Evidence Ledger records",
        "type": "object",
        "properties": {kind: {"type": "array", "items": references[KINDS[kind], "validation"]} for kind in kinds},
        "additionalProperties": False,
        "$defs": schema["$defs"],
    }
