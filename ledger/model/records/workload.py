"""A workload: the prompts of a benchmark, by file and hash."""

from typing import Annotated

from pydantic import Field, StrictInt

from ledger.model.record import Record
from ledger.model.values.values import Sha256, Text


class Workload(Record):
    """Prompts in a JSONL file beside the record; the hash makes the file part of the meaning."""

    KIND = "workload"
    MEANING = ("title", "prompts", "sha256", "count", "licence", "permission", "mix", "input_words")

    title: Text
    prompts: Text
    """File name of the JSONL, beside this record."""
    sha256: Sha256
    count: Annotated[StrictInt, Field(ge=1)]
    licence: Text
    permission: Text
    """Who may use the prompts, and for what."""
    mix: Text
    """What the mix contains and what it stands for."""
    input_words: dict[str, StrictInt]
    """Words per prompt: min, p25, median, p75, max."""
    author: Text | None = None
