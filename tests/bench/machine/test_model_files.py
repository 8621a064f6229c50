"""A model's folder has one hash each for weights, configuration and tokenizer, whatever order its files come in."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from ledger.bench.machine.model_files import chat_template, file_hash, files_hash, model_hashes, weights_hash


def digest(content: bytes) -> str:
    """The sha256 of some bytes."""
    return sha256(content).hexdigest()


def test_one_file_has_its_own_hash_and_several_that_of_their_list(tmp_path: Path) -> None:
    first, second = tmp_path / "a.safetensors", tmp_path / "b.safetensors"
    first.write_bytes(b"one")
    second.write_bytes(b"two")
    assert file_hash(first) == files_hash([first]) == digest(b"one")
    listed = f"{digest(b'one')}  a.safetensors\n{digest(b'two')}  b.safetensors\n"
    assert files_hash([second, first]) == files_hash([first, second]) == digest(listed.encode())


def test_each_kind_of_file_counts_in_its_own_hash(tmp_path: Path) -> None:
    for name in ("model.safetensors", "config.json", "tokenizer.json"):
        (tmp_path / name).write_text(name)
    before = model_hashes(tmp_path)
    assert before == {
        "model_weights_sha256": digest(b"model.safetensors"),
        "model_config_sha256": digest(b"config.json"),
        "tokenizer_sha256": digest(b"tokenizer.json"),
    }
    (tmp_path / "chat_template.jinja").write_text("{{ messages }}")
    after = model_hashes(tmp_path)
    assert {name for name in after if after[name] != before.get(name)} == {"tokenizer_sha256", "chat_template_sha256"}


def test_what_a_folder_lacks_has_no_key(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing of the model")
    assert model_hashes(tmp_path) == {}


@pytest.mark.parametrize(
    ("configured", "expected"),
    [
        ({"chat_template": "{{ plain }}"}, "{{ plain }}"),
        ({"chat_template": [{"name": "tools", "template": "{{ tools }}"}, {"name": "default", "template": "{{ plain }}"}]}, "{{ plain }}"),
        ({}, None),
        ([], None),
    ],
)
def test_the_chat_template_is_read_from_the_configuration_or_its_own_file(tmp_path: Path, configured: object, expected: str | None) -> None:
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(configured))
    assert chat_template(tmp_path) == expected
    assert model_hashes(tmp_path).get("chat_template_sha256") == (digest(expected.encode()) if expected else None)
    (tmp_path / "chat_template.jinja").write_text("{{ own }}")
    assert chat_template(tmp_path) == "{{ own }}"


def test_a_file_that_changed_has_another_hash(tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    file.write_bytes(b"one")
    assert file_hash(file) == digest(b"one")
    file.write_bytes(b"other")
    assert file_hash(file) == weights_hash(tmp_path) == digest(b"other")
