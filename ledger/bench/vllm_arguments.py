"""A protocol's arm as arguments of vLLM's engine. Pure."""

from pathlib import Path
from typing import Any

from ledger.errors import Problem
from ledger.model.protocol import Arm, Protocol

OURS = frozenset({"device", "gpus"})
"""Keys of a protocol's engine table that say what is expected of the machine; vLLM never sees them."""
PINNED: dict[str, Any] = {"async_scheduling": False, "disable_log_stats": False}
"""The same on every arm: vLLM turns asynchronous scheduling off without a word for some methods, and then arms differ."""
SET_BY_RUNNER = frozenset(
    {"model", "seed", "speculative_config", "per_request_spec_decode_metrics", "spec_method", "spec_model", "spec_tokens"}
)
LOSSLESS = {"rejection_sample_method": frozenset({"standard", "block"})}
"""Option of the speculative configuration to the values that accept only what the target would have produced."""
NO_DRAFT_MODEL = frozenset({"ngram", "suffix"})


def engine_arguments(plan: Protocol, arm: Arm, model_path: Path) -> dict[str, Any]:
    """Return the keyword arguments of vLLM's AsyncEngineArgs for an arm."""
    arguments: dict[str, Any] = {key: value for key, value in plan.engine.items() if key not in OURS}
    arguments |= PINNED | {"model": str(model_path), "seed": plan.seed}
    if arm.method is not None:
        arguments["speculative_config"] = speculative_arguments(arm, model_path)
        arguments["per_request_spec_decode_metrics"] = "detailed"
    return arguments


def speculative_arguments(arm: Arm, model_path: Path) -> dict[str, Any]:
    """Return vLLM's speculative configuration for an arm; `self` as draft names the target."""
    named = {
        "method": arm.method,
        "num_speculative_tokens": arm.num_speculative_tokens,
        "prompt_lookup_min": arm.prompt_lookup_min,
        "prompt_lookup_max": arm.prompt_lookup_max,
        "model": draft_path(arm, model_path),
    }
    return {key: value for key, value in named.items() if value is not None} | dict(arm.options)


def draft_path(arm: Arm, model_path: Path) -> str | None:
    """Return where the arm's draft model lies, None for a method without one."""
    return str(model_path) if arm.draft == "self" else arm.draft


def argument_problems(
    plan: Protocol, *, engine_keys: frozenset[str], speculative_keys: frozenset[str], methods: frozenset[str]
) -> list[Problem]:
    """Return what is wrong with the engine table and the arms, given what the installed vLLM knows."""
    problems = [
        Problem(
            "engine-key", f'engine.{key}: vLLM has no argument "{key}".', "Remove it, or see `vllm serve --help`.", field=("engine", key)
        )
        for key in sorted(set(plan.engine) - OURS - engine_keys)
    ]
    problems += [
        Problem("engine-key", f"engine.{key}: the runner sets this itself.", "Remove it.", field=("engine", key))
        for key in sorted(set(plan.engine) & (SET_BY_RUNNER | set(PINNED)))
        if plan.engine[key] != PINNED.get(key)
    ]
    for place, arm in enumerate(plan.arms):
        if arm.method is not None:
            problems += arm_problems(arm, place, speculative_keys, methods)
    return problems


def arm_problems(arm: Arm, place: int, keys: frozenset[str], methods: frozenset[str]) -> list[Problem]:
    """Return what is wrong with one speculative arm."""
    at = ("arms", place)
    found = []
    if arm.method not in methods:
        found.append(
            Problem(
                "method",
                f'arm {arm.id}: this vLLM has no method "{arm.method}".',
                f"It has {', '.join(sorted(methods))}.",
                field=(*at, "method"),
            )
        )
    if arm.num_speculative_tokens is None and arm.method != "suffix":
        found.append(Problem("method", f"arm {arm.id}: says not how many tokens to draft.", "Set num_speculative_tokens.", field=at))
    if arm.method not in NO_DRAFT_MODEL and arm.method != "mtp" and not (arm.draft or arm.options.get("model")):
        found.append(
            Problem(
                "method", f"arm {arm.id}: {arm.method} needs a draft model.", 'Set draft to a folder, or to "self".', field=(*at, "draft")
            )
        )
    if arm.method in NO_DRAFT_MODEL and arm.draft:
        found.append(Problem("method", f"arm {arm.id}: {arm.method} takes no draft model.", "Remove draft.", field=(*at, "draft")))
    for key, value in arm.options.items():
        if key not in keys:
            found.append(
                Problem(
                    "method",
                    f'arm {arm.id}: vLLM\'s speculative configuration has no key "{key}".',
                    "Remove it.",
                    field=(*at, "options", key),
                )
            )
        elif key.startswith("synthetic_") or value not in LOSSLESS.get(key, {value}):
            remedy = "Its speed says nothing about serving; use the standard mode."
            found.append(
                Problem("lossy", f'arm {arm.id}: {key} = "{value}" is a lossy acceptance mode.', remedy, field=(*at, "options", key))
            )
    return found
