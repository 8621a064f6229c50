"""What vLLM settled on, as plain values; the KV cache in bytes where keys and values are of equal size."""

from enum import Enum
from types import SimpleNamespace
from typing import Any

import pytest

from ledger.bench.vllm.configuration import bytes_per_token, effective_configuration, kv_cache_bytes, scalar


class Mode(Enum):
    """An enumeration as vLLM's configuration has them."""

    PIECEWISE = 2


def model(*, heads: int = 3, layers: int = 30, mla: bool = False, hybrid: bool = False, itemsize: int = 2) -> SimpleNamespace:
    """A model as vLLM describes it; heads and layers are those of one rank."""
    return SimpleNamespace(
        dtype=SimpleNamespace(itemsize=itemsize),
        use_mla=mla,
        is_hybrid=hybrid,
        get_num_kv_heads=lambda _: heads,
        get_num_layers=lambda _: layers,
        get_head_size=lambda: 64,
    )


ONE_RANK = SimpleNamespace(tensor_parallel_size=1, pipeline_parallel_size=1)


def settled(target: SimpleNamespace, *, draft: SimpleNamespace | None = None, method: str = "eagle3", **cache: Any) -> SimpleNamespace:
    """A configuration of vLLM's shape."""
    speculative = SimpleNamespace(method=method, draft_model_config=draft, draft_parallel_config=ONE_RANK) if draft else None
    return SimpleNamespace(
        model_config=target,
        parallel_config=ONE_RANK,
        speculative_config=speculative,
        cache_config=SimpleNamespace(**{"kv_cache_size_tokens": 1000, "cache_dtype": "auto"} | cache),
        scheduler_config=SimpleNamespace(async_scheduling=True, get_scheduler_cls=lambda: SimpleNamespace(__name__="AsyncScheduler")),
        compilation_config=SimpleNamespace(cudagraph_mode=Mode.PIECEWISE),
        use_v2_model_runner=True,
    )


def test_the_bytes_of_a_token_are_those_of_all_ranks() -> None:
    assert bytes_per_token(model(), ONE_RANK, "auto") == 2 * 3 * 64 * 30 * 2
    four = SimpleNamespace(tensor_parallel_size=2, pipeline_parallel_size=2)
    assert bytes_per_token(model(heads=2, layers=15), four, "auto") == 2 * 4 * 64 * 30 * 2
    assert bytes_per_token(model(), ONE_RANK, "fp8_e4m3") == 2 * 3 * 64 * 30


def test_a_draft_models_cache_counts_and_ngrams_has_none() -> None:
    alone = kv_cache_bytes(settled(model()))
    assert alone == 1000 * 2 * 3 * 64 * 30 * 2
    assert kv_cache_bytes(settled(model(), draft=model(layers=1))) == alone + 1000 * 2 * 3 * 64 * 1 * 2
    assert kv_cache_bytes(settled(model(), draft=model(), method="ngram")) == alone


def test_latent_attention_keeps_one_vector_a_layer_on_every_rank() -> None:
    latent = model(heads=1, layers=61, mla=True)
    assert kv_cache_bytes(settled(latent)) == 1000 * 64 * 61 * 2
    eight = SimpleNamespace(tensor_parallel_size=8, pipeline_parallel_size=1)
    assert bytes_per_token(latent, eight, "auto") == 8 * 64 * 61 * 2


@pytest.mark.parametrize(
    "configuration",
    [settled(model(hybrid=True)), settled(model(), kv_cache_size_tokens=None), settled(model(mla=True), cache_dtype="fp8_ds_mla")],
)
def test_where_layers_keep_something_else_no_figure_is_made_up(configuration: SimpleNamespace) -> None:
    assert kv_cache_bytes(configuration) is None


def test_the_settings_become_plain_values_under_their_sections_name() -> None:
    values = effective_configuration(settled(model()))
    assert values["scheduler_config.async_scheduling"] is True
    assert values["scheduler_config.scheduler_cls"] == "AsyncScheduler"
    assert values["compilation_config.cudagraph_mode"] == "PIECEWISE"
    assert values["model_runner"] == "second"
    assert "speculative_config.method" not in values
    assert (scalar(None), scalar(0.5), scalar("torch.bfloat16")) == (None, 0.5, "torch.bfloat16")
