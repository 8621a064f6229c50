"""Arms against what the installed vLLM knows, by name, and what they become as its arguments."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import pytest

from ledger.bench.plan import methods
from ledger.bench.vllm import arguments as vllm_arguments
from ledger.bench.vllm import backend as vllm_backend
from ledger.bench.vllm.arguments import argument_problems, engine_arguments
from ledger.model.records.protocol import Method
from tests.bench.conftest import protocol_of

KNOWN: dict[str, Any] = {
    "engine_keys": frozenset({"max_model_len"}),
    "speculative_keys": frozenset({"quantization", "rejection_sample_method"}),
    "methods": frozenset({"ngram", "draft_model"}),
}


@pytest.mark.parametrize(
    ("arm", "said"),
    [
        ({"method": "ngram", "num_speculative_tokens": 4}, None),
        ({"method": "medusa", "num_speculative_tokens": 4, "draft": "x"}, 'has no method "medusa"'),
        ({"method": "ngram"}, "Set num_speculative_tokens"),
        ({"method": "draft_model", "num_speculative_tokens": 4}, "needs a draft model"),
        ({"method": "ngram", "num_speculative_tokens": 4, "draft": "x"}, "takes no draft model"),
        ({"method": "ngram", "num_speculative_tokens": 4, "options": {"promt": 1}}, 'has no key "promt"'),
        (
            {"method": "ngram", "num_speculative_tokens": 4, "options": {"rejection_sample_method": "synthetic"}},
            "lossy acceptance mode",
        ),
        ({"method": "ngram", "num_speculative_tokens": 4, "options": {"rejection_sample_method": "block"}}, None),
        ({"method": "ngram", "num_speculative_tokens": 4, "options": {"synthetic_acceptance_length": 3}}, "lossy acceptance mode"),
        ({"method": "ngram", "num_speculative_tokens": 4, "options": {"posterior_threshold": 1}}, "lossy acceptance mode"),
        (
            {"method": "ngram", "num_speculative_tokens": 4, "options": {"acceptance_method": "typical_acceptance_sampler"}},
            "lossy acceptance mode",
        ),
        ({"method": "ngram", "num_speculative_tokens": 4, "options": {"method": "eagle"}}, "would win over what the arm says"),
        (
            {"method": "draft_model", "num_speculative_tokens": 4, "draft": "self", "options": {"model": "other"}},
            "Set draft on the arm",
        ),
        ({"method": "ngram", "num_speculative_tokens": 4, "options": {"draft_model_config": "x"}}, "is vLLM's to fill in"),
        ({"method": "ngram", "num_speculative_tokens": 4, "draft": "untrained"}, "takes no draft model"),
        ({"method": "eagle", "num_speculative_tokens": 4, "draft": "untrained"}, 'has no method "eagle"'),
        ({"num_speculative_tokens": 4}, "sets num_speculative_tokens and no method"),
        ({"draft": "self"}, "sets draft and no method"),
    ],
)
def test_an_arm_is_checked_by_name(arm: dict[str, Any], said: str | None) -> None:
    plan = protocol_of(arms=[{"id": "base"}, {"id": "other", **arm}])
    found = [f"{problem.message} {problem.remedy}" for problem in argument_problems(plan, **KNOWN)]
    assert found == [] if said is None else said in found[0]


def test_block_verification_is_refused_where_vllm_would_verify_one_by_one() -> None:
    options = {"rejection_sample_method": "block"}
    plan = protocol_of(arms=[{"id": "base"}, {"id": "other", "method": "ngram", "num_speculative_tokens": 4, "options": options}])
    (problem,) = argument_problems(plan, **KNOWN, on_cpu=True)
    assert problem.message == 'arm other: rejection_sample_method = "block" is not carried out on a CPU.'
    assert problem.field == ("arms", 1, "options", "rejection_sample_method")


@pytest.mark.parametrize(("size", "on_cpu", "refused"), [(16, True, True), (16, False, False), (64, True, False)])
def test_a_block_size_that_a_cpu_does_not_take_is_refused_before_weights_are_loaded(size: int, on_cpu: bool, refused: bool) -> None:
    known = KNOWN | {"engine_keys": frozenset({"block_size"})}
    problems = argument_problems(protocol_of(engine={"block_size": size}), **known, on_cpu=on_cpu)
    assert [problem.field for problem in problems] == [("engine", "block_size")] * refused


def test_what_the_installed_vllm_knows_covers_what_we_name() -> None:
    """A key or a value that another release renames must not slip through these lists."""
    pytest.importorskip("vllm")
    from vllm.config.speculative import RejectionSampleMethod, SpeculativeConfig

    keys = set(SpeculativeConfig.__dataclass_fields__)
    assert keys >= vllm_arguments.OF_THE_ARM
    assert set(get_args(RejectionSampleMethod)) - vllm_arguments.LOSSLESS["rejection_sample_method"] == {"synthetic"}
    acceptance = {key for key in keys if "accept" in key or "reject" in key}
    assert {key for key in acceptance if not key.startswith(vllm_arguments.LOSSY_KEYS)} == {"rejection_sample_method"}


@pytest.mark.parametrize(
    ("arm", "first_runner", "asynchronous"),
    [
        ({"method": "suffix"}, True, False),
        ({"method": "medusa", "draft": "heads"}, True, False),
        ({"method": "draft_model", "draft": "small", "options": {"use_heterogeneous_vocab": True}}, True, True),
        ({"method": "draft_model", "draft": "small", "options": {"use_heterogeneous_vocab": False}}, False, True),
        ({"method": "ngram"}, False, False),
        ({"method": "dflash", "draft": "head", "options": {"parallel_drafting": True}}, False, True),
        ({"method": "eagle3", "draft": "head", "options": {"disable_padded_drafter_batch": True}}, False, False),
    ],
)
def test_a_matched_baseline_gives_up_what_its_arm_has_to_and_nobody_else_does(
    arm: dict[str, Any], first_runner: bool, asynchronous: bool
) -> None:
    """Each arm is served as vLLM would serve it: losing the default scheduler is part of an arm's price."""
    plan = protocol_of(
        arms=[{"id": "base"}, {"id": "other", "num_speculative_tokens": 4, **arm}, {"id": "matched", "matches": "other"}], engine={}
    )
    base, other, matched = (engine_arguments(plan, one, Path("/models/target")) for one in plan.arms)
    assert "async_scheduling" not in base | other
    assert matched == (base if asynchronous else base | {"async_scheduling": False})
    variables = [vllm_arguments.engine_variables(plan, one) for one in plan.arms]
    assert variables == [{}, {}, {"VLLM_USE_V2_MODEL_RUNNER": "0"} if first_runner else {}]


def test_the_scheduler_that_a_plan_names_is_every_arms(tmp_path: Path) -> None:
    plan = protocol_of(engine={"async_scheduling": True})
    assert [engine_arguments(plan, arm, tmp_path)["async_scheduling"] for arm in plan.arms] == [True, True]


def test_what_is_said_of_methods_holds_for_the_installed_vllm() -> None:
    """A method that another release adds, or serves otherwise, must not slip through these lists."""
    pytest.importorskip("vllm")
    import inspect

    from vllm.config.vllm import VllmConfig

    assert set(get_args(Method)) - vllm_backend.vllm_names()["methods"] == set()
    source = inspect.getsource(VllmConfig._get_v2_model_runner_unsupported_features)
    assert {name for name in get_args(Method) if f'"{name}"' in source} == methods.FIRST_RUNNER_ONLY | methods.PARALLEL_BY_NATURE
    assert all(option in source for option in methods.FIRST_RUNNER_OPTIONS)
    scheduling = inspect.getsource(VllmConfig.__post_init__)
    capable = {"eagle", "eagle3", "mtp", "dflash", "ngram_gpu", "draft_model", "dspark"}
    assert set(get_args(Method)) - capable == methods.WITHOUT_ASYNC_SCHEDULING
    assert "EAGLE/MTP/Draft Model/NGram GPU/DSpark/DFlash" in scheduling


@pytest.mark.parametrize("settled", ["eagle", None])
def test_a_method_that_vllm_takes_for_another_is_named(settled: str | None) -> None:
    """It reads `eagle-` in a draft's path as the method, whatever was asked for."""
    arm = {"id": "draft", "method": "draft_model", "num_speculative_tokens": 3, "draft": "/models/eagle-small"}
    plan = protocol_of(arms=[{"id": "base"}, arm])
    found = SimpleNamespace(speculative_config=SimpleNamespace(method=settled) if settled else None)
    (problem,) = vllm_backend.method_problems(plan.arms[1], found)
    assert problem.message == f"arm draft: vLLM takes its method for {settled}, expected draft_model."
    same = SimpleNamespace(speculative_config=SimpleNamespace(method="draft_model"))
    assert vllm_backend.method_problems(plan.arms[1], same) == []
    assert vllm_backend.method_problems(plan.arms[0], SimpleNamespace(speculative_config=None)) == []


@pytest.mark.parametrize("key", ["max_modle_len", "seed", "disable_log_stats"])
def test_an_engine_key_that_is_unknown_or_ours_is_named(key: str) -> None:
    problems = argument_problems(protocol_of(engine={key: 1, "device": "cpu", "gpus": 0}), **KNOWN)
    assert problems
    assert all(problem.field == ("engine", key) for problem in problems)


def test_arms_become_engine_arguments_pinned_alike(tmp_path: Path) -> None:
    plan = protocol_of(
        engine={"max_model_len": 256, "device": "cpu", "tensor_parallel_size": 2},
        arms=[
            {"id": "base"},
            {"id": "self", "method": "draft_model", "num_speculative_tokens": 3, "draft": "self", "options": {"quantization": "x"}},
        ],
    )
    base, drafted = (engine_arguments(plan, arm, tmp_path) for arm in plan.arms)
    pinned = {
        "max_model_len": 256,
        "tensor_parallel_size": 2,
        "disable_log_stats": False,
        "model": str(tmp_path),
        "seed": 7,
    }
    assert base == pinned
    assert drafted == pinned | {
        "per_request_spec_decode_metrics": "detailed",
        "speculative_config": {"method": "draft_model", "num_speculative_tokens": 3, "model": str(tmp_path), "quantization": "x"},
    }
