"""What vLLM 0.32 gives and takes with each method of speculation; a test holds these lists to the installed release. Pure."""

from ledger.model.records.protocol import Arm, Protocol

WITHOUT_DRAFT_MODEL = frozenset({"ngram", "ngram_gpu", "suffix"})
"""Methods that draft from the text itself; a draft named on such an arm would be ignored."""
DRAFT_IN_TARGET = frozenset({"mtp", "dspark"})
"""Methods whose draft may come with the target's own weights."""
WITHOUT_DRAFT_CACHE = WITHOUT_DRAFT_MODEL | {"custom_class", "medusa", "mlp_speculator"}
"""Methods whose draft keeps no keys and values of its own."""
WITHOUT_ASYNC_SCHEDULING = frozenset({"ngram", "suffix", "medusa", "mlp_speculator", "custom_class"})
"""Methods for which vLLM turns asynchronous scheduling off, its default for all others."""
WITHOUT_ASYNC_OPTIONS = frozenset({"disable_padded_drafter_batch"})
FIRST_RUNNER_ONLY = frozenset({"suffix", "medusa", "mlp_speculator", "custom_class"})
FIRST_RUNNER_OPTIONS = frozenset({"use_heterogeneous_vocab", "parallel_drafting"})
"""Methods and options that vLLM's second model runner lacks; such an arm gets the first one without a word."""
PARALLEL_BY_NATURE = frozenset({"dflash", "dspark"})
"""Methods that draft in parallel on the second model runner too."""
SERVED_OTHERWISE = ("scheduler_config.async_scheduling", "scheduler_config.scheduler_cls", "model_runner")
"""Settings of an engine that vLLM itself changes for such arms: part of what the method costs, and no deviation."""


def loses_async_scheduling(arm: Arm) -> bool:
    """Whether vLLM serves an arm without the asynchronous scheduling that a plain arm has."""
    return arm.method in WITHOUT_ASYNC_SCHEDULING or any(arm.options.get(option) for option in WITHOUT_ASYNC_OPTIONS)


def needs_first_runner(arm: Arm) -> bool:
    """Whether vLLM serves an arm by its first model runner, where a plain arm has the second."""
    options = [option for option in FIRST_RUNNER_OPTIONS if arm.options.get(option)]
    if arm.method in PARALLEL_BY_NATURE:
        options = [option for option in options if option != "parallel_drafting"]
    return arm.method in FIRST_RUNNER_ONLY or bool(options)


def is_served_otherwise(arm: Arm) -> bool:
    """Whether vLLM takes something from an arm beside giving it a draft, so that a plain arm is no like baseline for it."""
    return loses_async_scheduling(arm) or needs_first_runner(arm)


def unmatched_arms(protocol: Protocol) -> list[Arm]:
    """Return the arms that lose something which the baseline has, and that no matched baseline stands beside.

    One matched baseline serves all arms that lose the same. On a CPU nobody has what they lose.
    """
    if protocol.engine.get("device") == "cpu" or protocol.engine.get("async_scheduling") is False:
        return []
    matched = [arm for arm in map(protocol.arm, (other.matches or "" for other in protocol.arms)) if arm is not None]
    there = {losses(arm) for arm in matched}
    return [arm for arm in protocol.arms if is_served_otherwise(arm) and losses(arm) not in there]


def losses(arm: Arm) -> tuple[bool, bool]:
    """Return whether an arm loses asynchronous scheduling, and the second model runner."""
    return loses_async_scheduling(arm), needs_first_runner(arm)
