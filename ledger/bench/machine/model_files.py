"""Which model is served: hashes over the files of its folder."""

from hashlib import file_digest, sha256
from pathlib import Path

from ledger.bench.engine.interface import Scalars
from ledger.model.records.run import EnvironmentFact

TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "tokenizer.model",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "merges.txt",
    "chat_template.jinja",
)
"""Files of a model folder that say how text becomes tokens, chat template included."""


def model_hashes(folder: Path) -> Scalars:
    """Return one sha256 each for the weights, the configuration and the tokenizer of a model folder.

    A hash over several files is that of the lines `sha256  name`, sorted by name.
    """
    groups = {
        EnvironmentFact.MODEL_WEIGHTS_SHA256: sorted(
            file for pattern in ("*.safetensors", "*.bin", "*.gguf") for file in folder.glob(pattern)
        ),
        EnvironmentFact.MODEL_CONFIG_SHA256: [
            file for name in ("config.json", "generation_config.json") if (file := folder / name).is_file()
        ],
        EnvironmentFact.TOKENIZER_SHA256: [file for name in TOKENIZER_FILES if (file := folder / name).is_file()],
    }
    return {name: files_hash(files) for name, files in groups.items() if files}


def files_hash(files: list[Path]) -> str:
    """Return the sha256 of one file, or of the list of names and hashes of several."""
    hashes = {file.name: file_hash(file) for file in files}
    if len(hashes) == 1:
        return next(iter(hashes.values()))
    return sha256("".join(f"{hashes[name]}  {name}\n" for name in sorted(hashes)).encode()).hexdigest()


def file_hash(file: Path) -> str:
    """Return the sha256 of a file."""
    with file.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()
