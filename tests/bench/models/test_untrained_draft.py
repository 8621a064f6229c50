"""The draft that cannot help: the target's form, random weights, written once."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from ledger.bench.models.drafts import draft_folder
from ledger.bench.models.untrained_draft import untrained_folder, untrained_path
from ledger.bench.models.weights import served_bytes, tensors, vocabulary
from ledger.bench.vllm import preflight
from ledger.bench.vllm.arguments import engine_arguments
from ledger.errors import DataRefusedError, EnvironmentFaultError, ExitCode
from tests.bench.conftest import protocol_of

pytestmark = pytest.mark.skipif(find_spec("transformers") is None or find_spec("torch") is None, reason="transformers is not installed")
TINY: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "dtype": "bfloat16",
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "num_hidden_layers": 5,
    "vocab_size": 40,
    "tie_word_embeddings": True,
}
WORDS = {f"w{number}": number for number in range(40)}


def target(folder: Path, **settings: Any) -> Path:
    """A model folder without weights: its configuration and its tokenizer."""
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(TINY | settings))
    (folder / "tokenizer.json").write_text(json.dumps({"model": {"vocab": WORDS}, "added_tokens": []}))
    return folder


def test_it_has_one_layer_of_the_targets_form_and_its_vocabulary(tmp_path: Path) -> None:
    model = target(tmp_path / "target")
    draft = untrained_path(model, 7, tmp_path)
    settings = json.loads((draft / "config.json").read_text())
    changed = {key for key, value in TINY.items() if settings[key] != value}
    assert changed == {"num_hidden_layers", "tie_word_embeddings"}
    assert settings["num_hidden_layers"] == 1
    attention, feed_forward, norms = 16 * 16 * 2 + 16 * 8 * 2, 3 * 16 * 32, 3 * 16
    assert served_bytes(draft, 1) == 2 * 40 * 16 + attention + feed_forward + norms
    assert vocabulary(draft) == WORDS
    assert preflight.draft_vocabulary_problems(model, draft, "untrained") == []


def test_the_same_target_and_seed_give_the_same_weights_and_another_gives_others(tmp_path: Path) -> None:
    model = target(tmp_path / "target")
    first, again, other = (untrained_path(model, seed, tmp_path / place) for seed, place in ((7, "a"), (7, "b"), (8, "a")))
    weights = [(folder / "model.safetensors").read_bytes() for folder in (first, again, other)]
    assert weights[0] == weights[1] != weights[2]
    assert {first.name, other.name} == {path.name for path in (tmp_path / "a" / "models").iterdir()}


def test_it_is_written_once_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    model = target(tmp_path / "target")
    draft = untrained_path(model, 7, tmp_path)
    (draft / "model.safetensors").write_bytes(b"as it was")
    assert untrained_path(model, 7, tmp_path) == draft
    assert (draft / "model.safetensors").read_bytes() == b"as it was"
    assert [path.name for path in draft.parent.iterdir()] == [draft.name]


@pytest.mark.parametrize("file", ["config.json", "tokenizer.json"])
def test_another_configuration_or_tokenizer_has_another_draft(tmp_path: Path, file: str) -> None:
    model = target(tmp_path / "target")
    before = untrained_folder(model, 7, tmp_path)
    (model / file).write_text((model / file).read_text() + " ")
    assert untrained_folder(model, 7, tmp_path) != before


@pytest.mark.parametrize("settings", [{"model_type": "nobody-knows"}, {"model_type": "bert", "num_key_value_heads": None}])
def test_an_architecture_without_such_a_copy_is_refused_and_nothing_stays(tmp_path: Path, settings: dict[str, Any]) -> None:
    model = target(tmp_path / "target", **settings | {"hidden_size": 15})
    with pytest.raises(DataRefusedError, match="no untrained copy") as caught:
        untrained_path(model, 7, tmp_path)
    assert "\n" not in str(caught.value)
    assert list((tmp_path / "models").iterdir()) == []


def test_a_cache_that_cannot_be_written_is_the_machines_fault(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file where the folder goes")
    with pytest.raises(EnvironmentFaultError, match="Set LEDGER_CACHE") as caught:
        untrained_path(target(tmp_path / "target"), 7, tmp_path)
    assert caught.value.exit_code == ExitCode.ENVIRONMENT


def test_an_arm_drafts_with_it_and_its_weights_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEDGER_CACHE", str(tmp_path))
    model = target(tmp_path / "target")
    arm = {"id": "untrained", "method": "draft_model", "num_speculative_tokens": 3, "draft": "untrained"}
    plan = protocol_of(arms=[{"id": "base"}, arm], seed=11)
    assert "no draft model at" in preflight.draft_problems(plan, model)[0].message
    draft = untrained_path(model, 11)
    assert preflight.draft_problems(plan, model) == []
    assert engine_arguments(plan, plan.arms[1], model)["speculative_config"]["model"] == str(draft)
    assert draft_folder(plan.arms[1], model, 11) == draft
    assert all(size for tensor in tensors(draft / "model.safetensors") for size in tensor.shape)
