"""A plan checked where it is written, before it lands: against vLLM's own parsers where that is installed, and the model's files."""

import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from ledger.bench.models.pins import pin_problems
from ledger.bench.models.untrained_draft import UNTRAINED, untrained_path
from ledger.bench.plan.suite_items import SuiteItem
from ledger.bench.plan.workload import Prompt
from ledger.bench.vllm import preflight
from ledger.bench.vllm.argument_values import value_problems
from ledger.bench.vllm.arguments import argument_problems
from ledger.bench.vllm.backend import VllmBackend, vllm_names
from ledger.bench.vllm.engine_log import output_to, quiet_exit, vllm_logs_to
from ledger.errors import Problem
from ledger.model.records.protocol import Protocol


def desk_problems(plan: Protocol, prompts: Sequence[Prompt], items: Sequence[SuiteItem], *, model_path: Path | None) -> list[Problem]:
    """Return everything wrong with a plan that can be told without the machine that will run it; warnings among it.

    Args:
        plan: the protocol.
        prompts: those of its workload.
        items: those of its suites.
        model_path: the folder of its model; None where it is not here, and nothing that needs it is checked.
    """
    problems = preflight.plan_only_problems(plan, items, on_cpu=is_for_cpu(plan))
    if find_spec("vllm") is None:
        return problems
    quiet_exit()
    with output_to(Path(os.devnull)):
        vllm_logs_to(Path(os.devnull))
        problems += argument_problems(plan, **vllm_names(), on_cpu=is_for_cpu(plan))
        problems += value_problems(plan)
        if not problems and model_path is not None:
            problems += model_problems(plan, prompts, items, model_path=model_path)
    return problems


def is_for_cpu(plan: Protocol) -> bool:
    """Whether a plan asks for a CPU."""
    return plan.engine.get("device") == "cpu"


def model_problems(plan: Protocol, prompts: Sequence[Prompt], items: Sequence[SuiteItem], *, model_path: Path) -> list[Problem]:
    """Return what is wrong with a plan for this model; its arms are resolved where the installed vLLM is of the plan's kind."""
    backend = VllmBackend(plan, model_path)
    problems = pin_problems(plan, model_path) + backend.length_problems(plan, prompts, items)
    if backend.on_cpu != is_for_cpu(plan):
        return problems
    if any(arm.draft == UNTRAINED for arm in plan.arms):
        untrained_path(model_path, plan.seed)
    problems += preflight.draft_problems(plan, model_path)
    problems += [problem for arm in plan.arms for problem in backend.configuration_problems(arm)] if not problems else []
    return problems + backend.memory_warnings(plan)
