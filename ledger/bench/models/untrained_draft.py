"""The draft that cannot help: one layer of the target's architecture with random weights, and the target's tokenizer.

A control. Its acceptance must read about zero; a runner that reads more counts something else.
"""

import hashlib
import shutil
import tempfile
from pathlib import Path
from typing import Any

from ledger.bench.machine.model_files import TOKENIZER_FILES
from ledger.bench.models.demo_model import cache_folder, put
from ledger.errors import DataRefusedError, EnvironmentFaultError

UNTRAINED = "untrained"
"""What an arm names as its draft."""


def untrained_folder(target: Path, seed: int, cache_dir: Path | None = None) -> Path:
    """Return where the untrained draft of a target lies, whether or not it has been written.

    Its name holds a hash of the target's configuration and tokenizer, since the draft takes over both, and the seed.
    """
    digest = hashlib.sha256()
    for name in ("config.json", *TOKENIZER_FILES):
        file = target / name
        digest.update(name.encode() + (file.read_bytes() if file.is_file() else b""))
    return (cache_dir or cache_folder()) / "models" / f"{UNTRAINED}-{digest.hexdigest()[:16]}-{seed}"


def untrained_path(target: Path, seed: int, cache_dir: Path | None = None) -> Path:
    """Return the folder of a target's untrained draft, written the first time.

    Args:
        target: A model folder in Hugging Face's layout.
        seed: Of the random weights.
        cache_dir: Where models are kept between runs.

    Raises:
        EnvironmentFaultError: transformers is missing, or the cache cannot be written.
        DataRefusedError: the target's architecture has no such copy.
    """
    folder = untrained_folder(target, seed, cache_dir)
    if (folder / "config.json").is_file():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as draft:
            write_untrained(target, Path(draft) / folder.name, seed)
            put(Path(draft) / folder.name, folder)
    except OSError as error:
        raise EnvironmentFaultError(
            f"{folder}: the untrained draft cannot be written there: {error}. Set LEDGER_CACHE to a folder with room for one layer "
            "and two embeddings of the model."
        ) from error
    return folder


def write_untrained(target: Path, folder: Path, seed: int) -> None:
    """Write a one-layer copy of a target with random weights, in the target's data type, and its tokenizer's files."""
    try:
        import torch
        from transformers import AutoConfig, AutoModelForCausalLM
        from transformers.utils import logging
    except ImportError as error:
        raise EnvironmentFaultError(f"an untrained draft is made with torch and transformers: {error}. They come with vLLM.") from error
    logging.disable_progress_bar()
    try:
        config = with_one_layer(AutoConfig.from_pretrained(target, local_files_only=True))
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            model = AutoModelForCausalLM.from_config(config, dtype=config.dtype or torch.bfloat16)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise DataRefusedError(f"{target}: no untrained copy of this architecture can be made: {reason}. Name a draft model.") from error
    model.save_pretrained(folder)
    for name in TOKENIZER_FILES:
        if (target / name).is_file():
            shutil.copyfile(target / name, folder / name)


def with_one_layer(config: Any) -> Any:
    """Return the configuration cut to its first layer, input and output embeddings untied.

    Tied to random embeddings, the likeliest next token would be the last one again, which a text that repeats itself
    now and then confirms.
    """
    config.num_hidden_layers = 1
    if getattr(config, "layer_types", None):
        config.layer_types = config.layer_types[:1]
    config.tie_word_embeddings = False
    return config
