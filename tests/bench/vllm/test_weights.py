"""Sizes and vocabularies from the headers of a model's files; no weight is loaded."""

import json
import struct
from pathlib import Path
from typing import Any

import pytest

from ledger.bench.vllm.weights import model_settings, parameter_count, vocabulary, weights_bytes
from ledger.errors import DataRefused


def header_only(file: Path, **tensors: tuple[str, list[int]]) -> None:
    """Write a safetensors file that has the header of these tensors and no data."""
    entries: dict[str, Any] = {name: {"dtype": dtype, "shape": shape, "data_offsets": [0, 0]} for name, (dtype, shape) in tensors.items()}
    header = json.dumps({"__metadata__": {"format": "pt"}, **entries}).encode()
    file.write_bytes(struct.pack("<Q", len(header)) + header)


def test_parameters_are_summed_over_tensors_and_files(tmp_path: Path) -> None:
    header_only(tmp_path / "a.safetensors", w=("BF16", [3, 4]), b=("BF16", [5]))
    header_only(tmp_path / "b.safetensors", scalar=("F32", []))
    assert parameter_count(tmp_path) == 12 + 5 + 1
    assert parameter_count(tmp_path / "none") is None


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
    with pytest.raises(DataRefused, match=r"has no readable config\.json"):
        model_settings(tmp_path)


def test_pieces_of_a_unigram_model_and_added_tokens_count(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text(
        json.dumps({"model": {"vocab": [["a", -1.0], ["b", -2.0]]}, "added_tokens": [{"content": "<end>", "id": 2}]})
    )
    assert vocabulary(tmp_path) == {"a": 0, "b": 1, "<end>": 2}


def test_a_file_that_is_no_safetensors_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"version https://git-lfs.github.com/spec/v1")
    with pytest.raises(DataRefused, match=r"is no safetensors file"):
        parameter_count(tmp_path)
