"""Sizes and vocabularies of a model on disk, read from file headers without loading any weight."""

import json
import struct
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

from ledger.errors import DataRefused

HEADER_LIMIT = 100 << 20
"""The safetensors format's own limit on a header, in bytes."""


def weights_bytes(model: str | Path, draft: str | Path | None, bytes_per_parameter: int) -> int | None:
    """Return the bytes of target and draft weights in the dtype served; None where a folder has no safetensors."""
    counts = [parameter_count(Path(folder)) for folder in (model, draft) if folder is not None]
    known = [count for count in counts if count is not None]
    return sum(known) * bytes_per_parameter if len(known) == len(counts) else None


def parameter_count(folder: Path) -> int | None:
    """Return the number of parameters in a model folder; None without safetensors files."""
    files = sorted(folder.glob("*.safetensors")) if folder.is_dir() else []
    return sum(prod(shape) for file in files for shape in shapes(file)) if files else None


def shapes(file: Path) -> Iterator[list[int]]:
    """Yield the shape of every tensor in a safetensors file, from its header.

    Raises:
        DataRefused: the file is no safetensors file.
    """
    with file.open("rb") as stream:
        size = stream.read(8)
        length = struct.unpack("<Q", size)[0] if len(size) == 8 else HEADER_LIMIT + 1
        if length > HEADER_LIMIT:
            raise DataRefused(f"{file}: is no safetensors file. Get the model again.")
        try:
            header: dict[str, Any] = json.loads(stream.read(length))
        except ValueError as error:
            raise DataRefused(f"{file}: has a broken header. Get the model again.") from error
    yield from (entry["shape"] for name, entry in header.items() if name != "__metadata__")


def model_settings(folder: Path) -> dict[str, Any]:
    """Return a model's `config.json`.

    Raises:
        DataRefused: it is missing or broken.
    """
    try:
        settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataRefused(f"{folder}: has no readable config.json. Name a folder with a model in Hugging Face's layout.") from error
    return dict(settings.get("text_config", settings))


def vocabulary(folder: Path) -> dict[str, int] | None:
    """Return token text to id, added tokens included; None without a `tokenizer.json`."""
    try:
        tokenizer = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    tokens = tokenizer.get("model", {}).get("vocab", {})
    if isinstance(tokens, list):  # a unigram model lists its pieces with their scores
        tokens = {piece[0]: place for place, piece in enumerate(tokens)}
    return {**tokens, **{added["content"]: added["id"] for added in tokenizer.get("added_tokens", [])}}
