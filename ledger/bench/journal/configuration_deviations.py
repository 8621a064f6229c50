"""In what the engine's settings differed between arms beyond what the plan declares. Pure."""

from collections.abc import Mapping

DECLARED = ("speculative_config.", "observability_config.")
"""What the arms declare to differ in, or what follows from it alone."""
FOLLOWS = ("cache_config.num_gpu_blocks", "cache_config.kv_cache_size_tokens")
"""The price of a draft model, reported as KV capacity rather than as a deviation."""
MEASURED_ALIKE = (*FOLLOWS, "cache_config.kv_cache_bytes")
"""What the engine works out from the memory it finds: alike within `ALIKE_SHARE`."""
ALIKE_SHARE = 0.01
NO_DRAFT_MODEL = (None, "ngram", "suffix")
"""Values of `speculative_config.method` of arms without a draft model, which pay no such price."""


def configuration_deviations(configurations: Mapping[str, Mapping[str, object]], baseline: str) -> list[str]:
    """Return every difference from the baseline's effective configuration that no arm declares, nor its draft model explains."""
    base = configurations.get(baseline, {})
    found = []
    for arm, configuration in configurations.items():
        for key in sorted(set(base) | set(configuration)):
            if key.startswith(DECLARED) or are_alike(key, base.get(key), configuration.get(key)):
                continue
            if key in FOLLOWS and configuration.get("speculative_config.method") not in NO_DRAFT_MODEL:
                continue
            found.append(f"{arm}: {key} is {configuration.get(key)!r}, on {baseline} {base.get(key)!r}")
    return found


def are_alike(key: str, base: object, other: object) -> bool:
    """Whether two values of a setting are the same, or as near as an engine that measures its memory comes to it."""
    if key in MEASURED_ALIKE and isinstance(base, int | float) and isinstance(other, int | float):
        return abs(other - base) <= ALIKE_SHARE * abs(base)
    return base == other
