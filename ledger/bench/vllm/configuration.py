"""What vLLM settled on when it started, as plain values to compare across arms."""

from typing import Any

from ledger.bench.engine.interface import Scalars
from ledger.bench.plan.methods import WITHOUT_DRAFT_CACHE

SECTIONS: dict[str, tuple[str, ...]] = {
    "model_config": ("dtype", "max_model_len", "quantization", "enforce_eager", "seed"),
    "cache_config": (
        "block_size",
        "num_gpu_blocks",
        "kv_cache_size_tokens",
        "cache_dtype",
        "gpu_memory_utilization",
        "enable_prefix_caching",
    ),
    "scheduler_config": (
        "policy",
        "async_scheduling",
        "max_num_seqs",
        "max_num_batched_tokens",
        "enable_chunked_prefill",
        "disable_hybrid_kv_cache_manager",
    ),
    "parallel_config": (
        "tensor_parallel_size",
        "pipeline_parallel_size",
        "data_parallel_size",
        "data_parallel_size_local",
        "data_parallel_backend",
        "distributed_executor_backend",
        "nnodes",
    ),
    "load_config": ("load_format",),
    "device_config": ("device_type",),
    "compilation_config": ("mode", "cudagraph_mode"),
    "attention_config": ("backend",),
    "observability_config": ("per_request_spec_decode_metrics",),
    "speculative_config": (
        "method",
        "num_speculative_tokens",
        "prompt_lookup_min",
        "prompt_lookup_max",
        "rejection_sample_method",
        "draft_sample_method",
        "disable_padded_drafter_batch",
    ),
}
"""vLLM's configuration objects and the fields recorded from each."""
MIXED_TYPES = frozenset({"fp8_ds_mla"})
"""Cache types whose vectors are part 8 and part 16 bits wide."""


def effective_configuration(config: Any) -> Scalars:
    """Return the recorded fields of a `VllmConfig` as `section.field`, with KV bytes; absent sections leave no keys."""
    values: Scalars = {}
    for section, names in SECTIONS.items():
        part = getattr(config, section, None)
        if part is not None:
            values |= {f"{section}.{name}": scalar(getattr(part, name)) for name in names if hasattr(part, name)}
    values["cache_config.kv_cache_bytes"] = kv_cache_bytes(config)
    values["scheduler_config.scheduler_cls"] = config.scheduler_config.get_scheduler_cls().__name__
    values["model_runner"] = "second" if config.use_v2_model_runner else "first"
    return values


def scalar(value: Any) -> str | int | bool | float | None:
    """Return a plain value; an enumeration by its name, anything else by its text."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return getattr(value, "name", value)
    return str(getattr(value, "name", value)).removeprefix("torch.")


def kv_cache_bytes(config: Any) -> int | None:
    """Return the bytes of the KV cache: tokens it holds times bytes per token, over all layers, ranks and both models.

    None, which is 'not recorded', for models that keep a state beside it (hybrids) and for a cache of mixed types.
    """
    tokens = config.cache_config.kv_cache_size_tokens
    models = [(config.model_config, config.parallel_config)]
    speculative = config.speculative_config
    if speculative is not None and speculative.draft_model_config is not None and speculative.method not in WITHOUT_DRAFT_CACHE:
        models.append((speculative.draft_model_config, speculative.draft_parallel_config))
    dtype = config.cache_config.cache_dtype
    if not tokens or dtype in MIXED_TYPES or any(model.is_hybrid for model, _ in models):
        return None
    return int(tokens) * sum(bytes_per_token(model, parallel, dtype) for model, parallel in models)


def bytes_per_token(model: Any, parallel: Any, cache_dtype: str) -> int:
    """Return the bytes that one token's keys and values take in one model, over all ranks.

    Latent attention (MLA) keeps one vector a layer in place of keys and values, and every rank keeps the whole of it.
    """
    width = 1 if "fp8" in str(cache_dtype) or str(cache_dtype) == "int8" else model.dtype.itemsize
    heads = model.get_num_kv_heads(parallel) * parallel.tensor_parallel_size
    layers = model.get_num_layers(parallel) * parallel.pipeline_parallel_size
    return int((1 if model.use_mla else 2) * heads * model.get_head_size() * layers * width)
