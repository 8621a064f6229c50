"""Which model is served: hashes over the files of its folder."""

import json
from functools import lru_cache
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
    hashes: Scalars = {name: files_hash(files) for name, files in groups.items() if files}
    template = chat_template(folder)
    return hashes | ({EnvironmentFact.CHAT_TEMPLATE_SHA256: sha256(template.encode()).hexdigest()} if template else {})


def weights_hash(folder: Path) -> str | None:
    """Return the hash of a model's weights alone; None for a folder without any."""
    value = model_hashes(folder).get(EnvironmentFact.MODEL_WEIGHTS_SHA256)
    return str(value) if value else None


def chat_template(folder: Path) -> str | None:
    """Return the text of a model's chat template: its own file, else what its tokenizer's configuration holds; None without one."""
    try:
        return (folder / "chat_template.jinja").read_text(encoding="utf-8")
    except OSError:
        pass  # most models keep it in the configuration
    try:
        template = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8")).get("chat_template")
    except (OSError, ValueError, AttributeError):
        return None
    if isinstance(template, list):  # several, by name
        template = next((one.get("template") for one in template if one.get("name") == "default"), None)
    return template if isinstance(template, str) else None


def files_hash(files: list[Path]) -> str:
    """Return the sha256 of one file, or of the list of names and hashes of several."""
    hashes = {file.name: file_hash(file) for file in files}
    if len(hashes) == 1:
        return next(iter(hashes.values()))
    return sha256("".join(f"{hashes[name]}  {name}\n" for name in sorted(hashes)).encode()).hexdigest()


def file_hash(file: Path) -> str:
    """Return the sha256 of a file; it is read once as long as it stays as it is, since weights are large."""
    state = file.stat()
    return _hash_of_state(file, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=4096)
def _hash_of_state(file: Path, _size: int, _changed_ns: int) -> str:
    with file.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()
