"""Sizes and vocabularies of a model on disk, read from file headers without loading any weight."""

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from ledger.errors import DataRefusedError

HEADER_LIMIT = 100 << 20
"""The safetensors format's own limit on a header, in bytes."""


BITS = {
    **dict.fromkeys(("F64", "I64", "U64", "C64"), 64),
    **dict.fromkeys(("F32", "I32", "U32"), 32),
    **dict.fromkeys(("F16", "BF16", "I16", "U16"), 16),
    **dict.fromkeys(("F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "I8", "U8", "BOOL"), 8),
    **dict.fromkeys(("F6_E2M3", "F6_E3M2"), 6),
    "F4": 4,
}
"""Bits of an element by its type in a safetensors header. Quantised weights are packed into integers, or of a narrow type."""
CAST = frozenset({"F64", "F32", "F16", "BF16"})
"""Types that an engine casts to the one that it serves, unless the model is quantised."""
OTHER_WEIGHTS = ("*.gguf", "*.bin", "*.pt")
"""Weight files whose own size is that of their weights, near enough."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """One tensor of a safetensors file, by its header."""

    dtype: str
    shape: tuple[int, ...]
    stored_bytes: int
    """Between its offsets in the file."""

    def size_bytes(self, cast_to_bytes: int | None) -> int:
        """Return the bytes that it takes in memory: cast where it is one of the types that are, else as it is stored."""
        if cast_to_bytes is not None and self.dtype in CAST:
            return prod(self.shape) * cast_to_bytes
        bits = BITS.get(self.dtype)
        return self.stored_bytes if bits is None else (prod(self.shape) * bits + 7) // 8


def weights_bytes(model: str | Path, draft: str | Path | None, bytes_per_parameter: int) -> int | None:
    """Return the bytes of target and draft weights as they are served; None where a folder has none that can be read."""
    sizes = [served_bytes(Path(folder), bytes_per_parameter) for folder in (model, draft) if folder is not None]
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None


def served_bytes(folder: Path, bytes_per_parameter: int) -> int | None:
    """Return the bytes that a model's weights take once loaded; None for a folder without weights.

    A quantised model (FP8, MXFP4, AWQ, GPTQ) is served as it is stored; any other's floating-point weights are cast to the width
    that the engine serves. Of other formats than safetensors the files' own sizes count.
    """
    if not folder.is_dir():
        return None
    if files := weight_files(folder):
        cast_to_bytes = None if is_quantised(folder) else bytes_per_parameter
        return sum(tensor.size_bytes(cast_to_bytes) for file in files for tensor in tensors(file))
    others = [file for pattern in OTHER_WEIGHTS for file in folder.glob(pattern)]
    return sum(file.stat().st_size for file in others) or None


def weight_files(folder: Path) -> list[Path]:
    """Return the safetensors files that an engine loads: those of the index, else all; some models carry their weights twice."""
    index = folder / "model.safetensors.index.json"
    if index.is_file():
        names = sorted(set(json.loads(index.read_text(encoding="utf-8")).get("weight_map", {}).values()))
        return [folder / name for name in names if (folder / name).is_file()]
    files = sorted(folder.glob("*.safetensors"))
    return [file for file in files if not file.name.startswith("consolidated")] or files


def is_quantised(folder: Path) -> bool:
    """Whether a model's configuration says that its weights are quantised."""
    try:
        settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    parts = (settings, settings.get("text_config") or {})
    return any(part.get("quantization_config") or part.get("compression_config") for part in parts)


def tensors(file: Path) -> Iterator[Tensor]:
    """Yield every tensor in a safetensors file, from its header.

    Raises:
        DataRefusedError: the file is no safetensors file.
    """
    with file.open("rb") as stream:
        size = stream.read(8)
        length = struct.unpack("<Q", size)[0] if len(size) == 8 else HEADER_LIMIT + 1
        if length > HEADER_LIMIT:
            raise DataRefusedError(f"{file}: is no safetensors file. Get the model again.")
        try:
            header: dict[str, Any] = json.loads(stream.read(length))
        except ValueError as error:
            raise DataRefusedError(f"{file}: has a broken header. Get the model again.") from error
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry.get("data_offsets", (0, 0))
            yield Tensor(entry["dtype"], tuple(entry["shape"]), end - begin)


def model_settings(folder: Path) -> dict[str, Any]:
    """Return a model's `config.json`.

    Raises:
        DataRefusedError: it is missing or broken.
    """
    try:
        settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataRefusedError(f"{folder}: has no readable config.json. Name a folder with a model in Hugging Face's layout.") from error
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
