"""Sizes and vocabularies from the headers of a model's files; no weight is loaded."""

import json
import struct
from pathlib import Path
from typing import Any

import pytest

from ledger.bench.models.weights import model_settings, served_bytes, vocabulary, weights_bytes
from ledger.errors import DataRefusedError


def header_only(file: Path, **tensors: tuple[str, list[int]]) -> None:
    """Write a safetensors file that has the header of these tensors and no data."""
    entries: dict[str, Any] = {name: {"dtype": dtype, "shape": shape, "data_offsets": [0, 0]} for name, (dtype, shape) in tensors.items()}
    header = json.dumps({"__metadata__": {"format": "pt"}, **entries}).encode()
    file.write_bytes(struct.pack("<Q", len(header)) + header)


def model(folder: Path, settings: dict[str, Any], **tensors: tuple[str, list[int]]) -> Path:
    """Write a model folder without data."""
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(settings))
    header_only(folder / "model.safetensors", **tensors)
    return folder


def test_tensors_are_summed_over_files_in_the_width_served(tmp_path: Path) -> None:
    header_only(tmp_path / "a.safetensors", w=("BF16", [3, 4]), b=("BF16", [5]))
    header_only(tmp_path / "b.safetensors", scalar=("F32", []))
    assert served_bytes(tmp_path, 2) == 2 * (12 + 5 + 1)
    assert served_bytes(tmp_path / "none", 2) is None


@pytest.mark.parametrize(
    ("settings", "tensors", "expected"),
    [
        (
            {"quantization_config": {"quant_method": "fp8"}},
            {"w": ("F8_E4M3", [8192, 8192]), "scale": ("F32", [64, 64])},
            8192 * 8192 + 4 * 64 * 64,
        ),
        ({"quantization_config": {"quant_method": "mxfp4"}}, {"blocks": ("U8", [32, 90, 16]), "scales": ("U8", [32, 90])}, 32 * 90 * 17),
        (
            {"quantization_config": {"quant_method": "awq"}},
            {"qweight": ("I32", [4096, 512]), "scales": ("F16", [32, 4096])},
            4096 * 512 * 4 + 32 * 4096 * 2,
        ),
        (
            {"quantization_config": {"quant_method": "gptq"}},
            {"qweight": ("I32", [512, 4096]), "g_idx": ("I32", [4096])},
            512 * 4096 * 4 + 4096 * 4,
        ),
        ({"text_config": {"quantization_config": {"quant_method": "fp8"}}}, {"w": ("F32", [10])}, 40),
        ({}, {"w": ("F4", [7])}, 4),
        ({}, {"w": ("F32", [10])}, 20),
        ({}, {"w": ("F32", [10]), "mask": ("BOOL", [3])}, 23),
    ],
)
def test_a_quantised_model_counts_as_it_is_stored(
    tmp_path: Path, settings: dict[str, Any], tensors: dict[str, tuple[str, list[int]]], expected: int
) -> None:
    assert served_bytes(model(tmp_path / "model", settings, **tensors), 2) == expected


def test_seventy_billion_parameters_in_fp8_are_71_gb_and_not_141(tmp_path: Path) -> None:
    """Llama 3 70B by its shapes: 80 layers in FP8, embeddings and head in BF16."""
    layer = 8192 * (8192 * 2 + 1024 * 2) + 3 * 8192 * 28672
    shapes = {"layers": ("F8_E4M3", [80, layer]), "embeddings": ("BF16", [2, 128256, 8192])}
    size = served_bytes(model(tmp_path / "model", {"quantization_config": {"quant_method": "fp8"}}, **shapes), 2)
    assert size is not None
    assert 71 <= size / 1e9 <= 73


def test_weights_that_lie_there_twice_count_once(tmp_path: Path) -> None:
    folder = model(tmp_path / "model", {}, w=("BF16", [10]))
    header_only(folder / "consolidated.safetensors", w=("BF16", [10]))
    assert served_bytes(folder, 2) == 20
    header_only(folder / "old.safetensors", w=("BF16", [10]))
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"w": "model.safetensors"}}))
    assert served_bytes(folder, 2) == 20


def test_other_formats_count_by_their_files(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(b"x" * 100)
    assert served_bytes(tmp_path, 2) == 100


def test_target_and_draft_are_added_in_the_width_served(tmp_path: Path) -> None:
    target, draft, other = tmp_path / "target", tmp_path / "draft", tmp_path / "other"
    for folder in (target, draft, other):
        folder.mkdir()
    header_only(target / "model.safetensors", w=("BF16", [10, 10]))
    header_only(draft / "model.safetensors", w=("BF16", [10]))
    assert weights_bytes(target, draft, 2) == 220
    assert weights_bytes(target, None, 4) == 400
    assert weights_bytes(target, other, 2) is None


def test_the_text_models_settings_count_in_a_model_of_several_parts(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"vocab_size": 1, "text_config": {"vocab_size": 9}}')
    assert model_settings(tmp_path) == {"vocab_size": 9}
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(DataRefusedError, match=r"has no readable config\.json"):
        model_settings(tmp_path)


def test_pieces_of_a_unigram_model_and_added_tokens_count(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text(
        json.dumps({"model": {"vocab": [["a", -1.0], ["b", -2.0]]}, "added_tokens": [{"content": "<end>", "id": 2}]})
    )
    assert vocabulary(tmp_path) == {"a": 0, "b": 1, "<end>": 2}


def test_a_file_that_is_no_safetensors_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"version https://git-lfs.github.com/spec/v1")
    with pytest.raises(DataRefusedError, match=r"is no safetensors file"):
        served_bytes(tmp_path, 2)
