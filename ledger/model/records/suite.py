"""An acceptance suite: items with a known right answer, by file and hash."""

from typing import Annotated

from pydantic import Field, StrictInt

from ledger.model.record import Record
from ledger.model.values.values import Sha256, Text


class Suite(Record):
    """Items in a JSONL file beside the record: prompt, category, check, and whether it is a negative control."""

    KIND = "suite"
    MEANING = ("title", "items", "sha256", "count", "licence", "permission")

    title: Text
    items: Text
    """File name of the JSONL, beside this record."""
    sha256: Sha256
    count: Annotated[StrictInt, Field(ge=1)]
    licence: Text
    permission: Text
    author: Text | None = None
