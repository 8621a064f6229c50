"""In what the engine's settings differed between arms beyond what the plan declares. Pure."""

from collections.abc import Mapping

from ledger.bench.plan.methods import SERVED_OTHERWISE, WITHOUT_DRAFT_CACHE

DECLARED = ("speculative_config.", "observability_config.")
"""What the arms declare to differ in, or what follows from it alone."""
FOLLOWS = ("cache_config.num_gpu_blocks", "cache_config.kv_cache_size_tokens")
"""The price of a draft model, reported as KV capacity rather than as a deviation."""
MEASURED_ALIKE = (*FOLLOWS, "cache_config.kv_cache_bytes")
"""What the engine works out from the memory it finds: alike within `ALIKE_SHARE`."""
ALIKE_SHARE = 0.01
METHOD = "speculative_config.method"
Configuration = Mapping[str, object]


def configuration_deviations(
    configurations: Mapping[str, Configuration], baseline: str, *, matches: Mapping[str, str] | None = None
) -> list[str]:
    """Return every difference from the baseline's effective configuration that no arm declares, nor its method explains.

    Args:
        configurations: of every arm.
        baseline: the arm that all others are compared with.
        matches: a matched baseline to the arm whose scheduler and model runner it must have.
    """
    base = configurations.get(baseline, {})
    deviations = []
    for arm, configuration in configurations.items():
        matched = (matches or {}).get(arm)
        for key in sorted(set(base) | set(configuration)):
            other, expected = (matched, configurations.get(matched, {})) if matched and key in SERVED_OTHERWISE else (baseline, base)
            if not are_alike(key, expected.get(key), configuration.get(key)) and not is_declared(key, configuration):
                deviations.append(f"{arm}: {key} is {configuration.get(key)!r}, on {other} {expected.get(key)!r}")
    return deviations


def is_declared(key: str, configuration: Configuration) -> bool:
    """Whether an arm's own method explains that a setting differs: what it declares, its draft's memory, what vLLM takes from it."""
    method = configuration.get(METHOD)
    if key.startswith(DECLARED):
        return True
    if key in FOLLOWS:
        return method is not None and method not in WITHOUT_DRAFT_CACHE
    return key in SERVED_OTHERWISE and method is not None


def are_alike(key: str, base: object, other: object) -> bool:
    """Whether two values of a setting are the same, or as near as an engine that measures its memory comes to it."""
    if key in MEASURED_ALIKE and isinstance(base, int | float) and isinstance(other, int | float):
        return abs(other - base) <= ALIKE_SHARE * abs(base)
    return base == other
