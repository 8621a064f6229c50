"""A protocol's arm as arguments of vLLM's engine, and what is wrong with them. Loads nothing."""

from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ledger.bench.models.drafts import draft_path
from ledger.bench.models.untrained_draft import UNTRAINED
from ledger.bench.plan.engine_table import whole_number
from ledger.bench.plan.methods import DRAFT_IN_TARGET, WITHOUT_DRAFT_MODEL, loses_async_scheduling, needs_first_runner
from ledger.errors import Problem
from ledger.model.records.protocol import Arm, Protocol
from ledger.model.values.values import TomlValue

OURS = frozenset({"device", "gpus"})
"""Keys of a protocol's engine table that say what is expected of the machine; vLLM never sees them."""
PINNED: dict[str, Any] = {"disable_log_stats": False}
"""The same on every arm: what the runner reads its figures from."""
FIRST_RUNNER = {"VLLM_USE_V2_MODEL_RUNNER": "0"}
"""The environment variable that gives an engine vLLM's first model runner."""
SET_BY_RUNNER = frozenset(
    {"model", "seed", "speculative_config", "per_request_spec_decode_metrics", "spec_method", "spec_model", "spec_tokens"}
)
LOSSLESS = {"rejection_sample_method": frozenset({"standard", "block"}), "acceptance_method": frozenset({"rejection_sampler"})}
"""Option of the speculative configuration to the values that accept only what the target would have produced."""
LOSSY_KEYS = ("synthetic_", "typical_", "posterior_", "relaxed_")
"""How options begin that loosen acceptance, in this vLLM or in others."""
CPU_BLOCK = 32
"""Tokens of a KV-cache block on a CPU, or a multiple; vLLM finds another size out when the weights have been loaded."""
ONE_BY_ONE = frozenset({"block"})
"""Values of `rejection_sample_method` that vLLM's first model runner, the CPU's only one, takes for `standard` without a word."""
OF_THE_ARM = frozenset({"method", "model", "num_speculative_tokens", "prompt_lookup_min", "prompt_lookup_max"})
"""Keys of the speculative configuration that an arm names itself; an option would win over what the arm says."""
OF_THE_ENGINE = frozenset(
    {"target_model_config", "target_parallel_config", "draft_model_config", "draft_parallel_config", "draft_load_config"}
)
"""Keys that vLLM fills in."""


def engine_arguments(plan: Protocol, arm: Arm, model_path: Path) -> dict[str, Any]:
    """Return the keyword arguments of vLLM's AsyncEngineArgs for an arm.

    Every arm is served as vLLM would serve it: the scheduler is its choice unless the plan names one. A matched baseline gives up
    what the arm that it matches has to do without.
    """
    arguments: dict[str, Any] = {key: value for key, value in plan.engine.items() if key not in OURS}
    arguments |= PINNED | {"model": str(model_path), "seed": plan.seed}
    if arm.method is not None:
        arguments["speculative_config"] = speculative_arguments(arm, model_path, plan.seed)
        arguments["per_request_spec_decode_metrics"] = "detailed"
    matched = plan.arm(arm.matches) if arm.matches else None
    if matched is not None and loses_async_scheduling(matched):
        arguments["async_scheduling"] = False
    return arguments


def engine_variables(plan: Protocol, arm: Arm) -> dict[str, str]:
    """Return the environment variables of an arm's engine: a matched baseline's model runner; nothing for the others."""
    matched = plan.arm(arm.matches) if arm.matches else None
    return dict(FIRST_RUNNER) if matched is not None and needs_first_runner(matched) else {}


def speculative_arguments(arm: Arm, model_path: Path, seed: int) -> dict[str, Any]:
    """Return vLLM's speculative configuration for an arm."""
    named = {
        "method": arm.method,
        "num_speculative_tokens": arm.num_speculative_tokens,
        "prompt_lookup_min": arm.prompt_lookup_min,
        "prompt_lookup_max": arm.prompt_lookup_max,
        "model": draft_path(arm, model_path, seed),
    }
    return {key: value for key, value in named.items() if value is not None} | dict(arm.options)


def argument_problems(
    plan: Protocol, *, engine_keys: frozenset[str], speculative_keys: frozenset[str], methods: frozenset[str], on_cpu: bool = False
) -> list[Problem]:
    """Return what is wrong with the engine table and the arms, given what the installed vLLM knows and where it runs."""
    problems = [
        Problem("engine-key", f'engine.{key}: vLLM has no argument "{key}".', remedy_for(key, engine_keys), field=("engine", key))
        for key in sorted(set(plan.engine) - OURS - engine_keys)
    ]
    problems += [
        Problem("engine-key", f"engine.{key}: the runner sets this itself.", "Remove it.", field=("engine", key))
        for key in sorted(set(plan.engine) & (SET_BY_RUNNER | set(PINNED)))
        if plan.engine[key] != PINNED.get(key)
    ]
    if on_cpu and whole_number(plan.engine, "block_size", CPU_BLOCK) % CPU_BLOCK:
        message = f"engine.block_size: got {plan.engine['block_size']}, and attention on a CPU takes multiples of {CPU_BLOCK}."
        problems.append(Problem("engine-key", message, "Set one, or leave it out.", field=("engine", "block_size")))
    for place, arm in enumerate(plan.arms):
        if arm.method is not None:
            problems += [*arm_problems(arm, place, methods), *option_problems(arm, place, speculative_keys, on_cpu=on_cpu)]
        else:
            problems += plain_arm_problems(arm, place)
    return problems


def remedy_for(key: str, known: frozenset[str]) -> str:
    """Return how to mend a key that vLLM does not know: by the nearest that it does, where one is near."""
    near = get_close_matches(key, sorted(known), n=1)
    return f'Did you mean "{near[0]}"?' if near else "Remove it, or see `vllm serve --help`."


def plain_arm_problems(arm: Arm, place: int) -> Iterator[Problem]:
    """Yield settings of speculation on an arm without a method, which vLLM would never see."""
    names = ("num_speculative_tokens", "prompt_lookup_min", "prompt_lookup_max", "draft", "options")
    for name in names:
        if getattr(arm, name):
            yield Problem(
                "method", f"arm {arm.id}: sets {name} and no method.", "Name a method, or remove it.", field=("arms", place, name)
            )


def arm_problems(arm: Arm, place: int, methods: frozenset[str]) -> list[Problem]:
    """Return what is wrong with the method of one speculative arm."""
    at = ("arms", place)
    problems = []
    if arm.method not in methods:
        problems.append(
            Problem(
                "method",
                f'arm {arm.id}: this vLLM has no method "{arm.method}".',
                f"It has {', '.join(sorted(methods))}.",
                field=(*at, "method"),
            )
        )
    if arm.num_speculative_tokens is None and arm.method != "suffix":
        problems.append(Problem("method", f"arm {arm.id}: says not how many tokens to draft.", "Set num_speculative_tokens.", field=at))
    if arm.method not in WITHOUT_DRAFT_MODEL | DRAFT_IN_TARGET and not arm.draft:
        message = f"arm {arm.id}: {arm.method} needs a draft model."
        problems.append(Problem("method", message, "Name one under drafts, and its id here.", field=(*at, "draft")))
    if arm.method in WITHOUT_DRAFT_MODEL and arm.draft:
        problems.append(Problem("method", f"arm {arm.id}: {arm.method} takes no draft model.", "Remove draft.", field=(*at, "draft")))
    if arm.draft == UNTRAINED and arm.method != "draft_model":
        problems.append(
            Problem("method", f"arm {arm.id}: {arm.method} has no untrained draft.", 'Set method = "draft_model".', field=(*at, "draft"))
        )
    return problems


def option_problems(arm: Arm, place: int, keys: frozenset[str], *, on_cpu: bool) -> Iterator[Problem]:
    """Yield the options of one speculative arm that vLLM does not know, that others set, or that accept what the target would not."""
    for key, value in arm.options.items():
        if fault := option_fault(key, value, keys, on_cpu=on_cpu):
            code, message, remedy = fault
            yield Problem(code, f"arm {arm.id}: {message}", remedy, field=("arms", place, "options", key))


def option_fault(key: str, value: TomlValue, keys: frozenset[str], *, on_cpu: bool) -> tuple[str, str, str] | None:
    """Return code, message and remedy for one option; None where it may stand."""
    if key.startswith(LOSSY_KEYS) or (key in LOSSLESS and value not in LOSSLESS[key]):
        return "lossy", f'{key} = "{value}" is a lossy acceptance mode.', "Its speed says nothing about serving; use the standard mode."
    if key in OF_THE_ARM:
        return (
            "method",
            f'"{key}" among the options would win over what the arm says.',
            f"Set {'draft' if key == 'model' else key} on the arm.",
        )
    if key in OF_THE_ENGINE:
        return "method", f'"{key}" among the options is vLLM\'s to fill in.', "Remove it."
    if key not in keys:
        return "method", f'vLLM\'s speculative configuration has no key "{key}".', remedy_for(key, keys)
    if on_cpu and key == "rejection_sample_method" and value in ONE_BY_ONE:
        return "method", f'{key} = "{value}" is not carried out on a CPU.', 'Use "standard", or run on a GPU.'
    return None
