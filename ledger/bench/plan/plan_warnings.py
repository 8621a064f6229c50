"""What a plan's reader should know before it lands: nothing of it keeps the run from working. Pure."""

from collections.abc import Iterator, Sequence

from ledger.bench.plan.methods import loses_async_scheduling, unmatched_arms
from ledger.bench.plan.order import is_balanced, williams_rows
from ledger.bench.plan.plan import remembers_answers
from ledger.bench.plan.stagger import is_in_lock_step
from ledger.bench.plan.workload import Prompt
from ledger.model.records.protocol import Load, Protocol


def plan_warnings(protocol: Protocol, prompts: Sequence[Prompt]) -> tuple[str, ...]:
    """Return one sentence or two for everything in a plan that weakens what its run can show."""
    return (
        *(warning for load in protocol.loads for warning in load_warnings(protocol, load, prompts)),
        *arm_warnings(protocol),
        *order_warnings(protocol),
        *identity_warnings(protocol),
    )


def load_warnings(protocol: Protocol, load: Load, prompts: Sequence[Prompt]) -> Iterator[str]:
    """Yield what weakens one load."""
    if is_in_lock_step(protocol, load) and not any(prompt.max_tokens for prompt in prompts):
        yield (
            f"load {load.id} runs in lock step: requests of equal length that start together also end together, and speculation breaks "
            'the step. Its tail latencies would show the load and not the arms. Set start = "staggered", or let answers end by themselves.'
        )
    used = prompts[: load.requests]
    if len({prompt.sha256 for prompt in used}) < len(used):
        yield f"load {load.id} sends {len(used)} prompts of which only {len({prompt.sha256 for prompt in used})} have a text of their own."
    recurring = load.requests > len(prompts)
    for arm in protocol.arms:
        if recurring and remembers_answers(protocol, arm.id):
            yield f"load {load.id} asks prompts again, and {arm.id} drafts from the answers it gave before. Ask each prompt once."


def arm_warnings(protocol: Protocol) -> Iterator[str]:
    """Yield arms that vLLM serves otherwise than the baseline, without a matched baseline beside them."""
    for arm in unmatched_arms(protocol):
        lost = "asynchronous scheduling" if loses_async_scheduling(arm) else "its second model runner"
        yield (
            f"arm {arm.id}: vLLM takes {lost} from it, so a comparison with {protocol.baseline.id} shows both. "
            f'Add a matched baseline, such as {{ id = "{protocol.baseline.id}-matched", matches = "{arm.id}" }}, to tell them apart.'
        )


def order_warnings(protocol: Protocol) -> Iterator[str]:
    """Yield what the order of arms cannot balance."""
    if protocol.order != "williams":
        yield 'arms alternate and reverse, so that some always follow the same one. Set order = "williams".'
    elif not is_balanced(protocol):
        rows = len(williams_rows(len(protocol.arms)))
        yield f"{protocol.repeats} repeats of {len(protocol.arms)} arms balance no places: {rows} would. The trend over places is shown."
    if protocol.no_discarded_life:
        yield f"no engine life is discarded to warm the machine: {protocol.no_discarded_life}"
    if protocol.repeats == 1:
        yield "one repeat has no interval on a ratio, and no verdict."


def identity_warnings(protocol: Protocol) -> Iterator[str]:
    """Yield models that the plan names and does not hold to a hash."""
    if protocol.model.weights_sha256 is None:
        yield f"model {protocol.model.name} is named and not pinned: any folder would do. Set weights_sha256 and tokenizer_sha256."
    known = {draft.id for draft in protocol.drafts} | {"self", "untrained", None}
    for arm in protocol.arms:
        if arm.draft not in known and arm.method != "custom_class":
            yield f"arm {arm.id}: its draft {arm.draft} is named and not pinned. Put it under drafts, with its hash."
