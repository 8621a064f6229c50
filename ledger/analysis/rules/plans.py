"""Rules about protocols: arms, loads, drills, limits, rules and candidates fit together."""

from collections import Counter
from collections.abc import Iterator

from ledger.analysis.rules.rubric import MessageAndRemedy, PlanFault, rule_faults
from ledger.errors import FieldPath, Problem
from ledger.model.catalogue import Catalogue
from ledger.model.records.protocol import Arm, Drill, Load, Protocol

LENGTH_BY_ITSELF = frozenset({"suffix"})
"""Methods that choose how many tokens to draft."""
TRAINED_HEADS = frozenset({"eagle", "eagle3", "medusa", "mlp_speculator", "dflash"})
"""Methods whose draft was trained on the target's own states; the target itself is no such thing."""


def check_protocols(catalogue: Catalogue) -> Iterator[Problem]:
    """Arms, loads, rules and candidates fit together."""
    for entry in catalogue:
        if isinstance(entry.record, Protocol):
            for field, message, remedy in protocol_faults(entry.record):
                yield entry.problem("LEDG060", field, message, remedy=remedy)


def protocol_faults(protocol: Protocol) -> Iterator[PlanFault]:
    """Yield everything in a plan that does not fit together."""
    yield from _name_faults(protocol)
    if protocol.baseline.method:
        yield PlanFault(("arms", 0, "method"), "the first arm is the baseline and runs without speculation.", "Put a plain arm first.")
    for index, arm in enumerate(protocol.arms):
        yield from (PlanFault(("arms", index), *fault) for fault in _arm_faults(protocol, arm))
    for index, load in enumerate(protocol.loads):
        yield from (PlanFault(("loads", index), *fault) for fault in _load_faults(protocol, load))
    for index, drill in enumerate(protocol.drills):
        yield from (PlanFault(("drills", index), *fault) for fault in _drill_faults(protocol, drill))
    for metric, limit in protocol.goodput_limits_s.items():
        if limit <= 0:
            yield PlanFault(("goodput_limits_s", metric), f"got {limit} s, expected more than 0.", "No request takes less; mend the limit.")
    yield from _sampling_faults(protocol)
    yield from _draft_faults(protocol)
    if protocol.allowed_failure_share is not None and not 0 <= protocol.allowed_failure_share < 1:
        got = f"got {protocol.allowed_failure_share}, expected a share from 0 to below 1."
        yield PlanFault(("allowed_failure_share",), got, "Give 0.02 for two in a hundred, or leave it out.")
    yield from rule_faults(protocol)
    yield from _decision_faults(protocol)


def _name_faults(protocol: Protocol) -> Iterator[PlanFault]:
    for name in ("arms", "loads", "rules", "drills", "drafts"):
        for item, count in Counter(part.id for part in getattr(protocol, name)).items():
            if count > 1:
                yield PlanFault((name,), f'"{item}" is used twice.', "Rename one.")
    loads = {load.id for load in protocol.loads}
    for index, drill in enumerate(protocol.drills):
        if drill.id in loads:
            yield PlanFault(("drills", index, "id"), f'"{drill.id}" is a load too, and their requests would mix.', "Rename one.")


def _decision_faults(protocol: Protocol) -> Iterator[PlanFault]:
    if protocol.decision is None:
        return
    places: list[tuple[FieldPath, str]] = [(("candidates", index), name) for index, name in enumerate(protocol.decision.candidates)]
    for field, name in (*places, (("otherwise",), protocol.decision.otherwise)):
        if protocol.arm(name) is None:
            yield PlanFault(("decision", *field), f'"{name}" is no arm.', f"Name one of {', '.join(arm.id for arm in protocol.arms)}.")


def _arm_faults(protocol: Protocol, arm: Arm) -> Iterator[MessageAndRemedy]:
    if arm.method and arm.num_speculative_tokens is None and arm.method not in LENGTH_BY_ITSELF:
        yield f"{arm.id} speculates without num_speculative_tokens.", "Add it."
    if arm.method == "draft_model" and arm.draft is None:
        yield f"{arm.id} has no draft model.", 'Add draft; "self" takes the target.'
    if arm.method in TRAINED_HEADS and arm.draft == "self":
        yield (
            f"{arm.id} names the target as its {arm.method} head, which is a model of its own.",
            "Name the head among drafts, and its id here.",
        )
    if arm.draft and arm.method != "custom_class" and (arm.draft.startswith(("/", "~", ".")) or "\\" in arm.draft):
        yield (
            f"{arm.id} names its draft by a path, which no other machine has.",
            "Name it under drafts, with its hash, and put its id here.",
        )
    if arm.matches is not None:
        matched = protocol.arm(arm.matches)
        if matched is None or arm.method or not matched.method:
            yield (
                f'{arm.id} matches "{arm.matches}"; a plain arm matches one that speculates.',
                "Name a speculative arm, or remove matches.",
            )
    if arm.repeats_of and protocol.arm(arm.repeats_of) is None:
        yield f'{arm.id} repeats "{arm.repeats_of}", which is no arm.', "Name an arm."


def _load_faults(protocol: Protocol, load: Load) -> Iterator[MessageAndRemedy]:
    if load.kind == "closed" and (load.concurrency is None or load.rate_per_s is not None):
        yield f"{load.id} is a closed loop.", "Give concurrency, and no rate."
    if load.kind == "open" and (load.rate_per_s is None or load.arrivals is None):
        yield f"{load.id} is an open loop.", "Give rate_per_s and arrivals."
    if load.rate_per_s is not None and load.rate_per_s <= 0:
        yield f"{load.id} has a rate of {load.rate_per_s} per second.", "Give a rate above 0."
    if load.kind == "open" and (load.stagger_s is not None or load.start == "together" or load.queues):
        yield f"{load.id} is an open loop, whose requests start at their arrivals.", "Remove start, stagger_s and queues."
    if load.stagger_s is not None and (load.stagger_s <= 0 or load.start == "together" or load.ramp_s is not None):
        yield f"{load.id} staggers its starts by {load.stagger_s} s.", "Give a time above 0, and neither a ramp nor a common start."
    if load.stagger_s is None and protocol.no_discarded_life and _needs_measured_stagger(load):
        yield f"{load.id} staggers its starts by a time that the discarded engine life measures, and there is none.", "Give stagger_s."
    if load.ramp_s is not None and load.ramp_s <= 0:
        yield f"{load.id} ramps over {load.ramp_s} s.", "Give a time above 0, or leave ramp_s out."
    if load.cache == "warm" and protocol.engine.get("enable_prefix_caching") is False:
        yield f"{load.id} asks for a warm cache, and the engine has prefix caching off.", "Set enable_prefix_caching = true."


def _needs_measured_stagger(load: Load) -> bool:
    return load.kind == "closed" and load.start == "staggered" and (load.concurrency or 1) > 1 and load.ramp_s is None


def _sampling_faults(protocol: Protocol) -> Iterator[PlanFault]:
    sampling = protocol.sampling
    if sampling.drawn_tokens is not None:
        least, largest = sampling.drawn_tokens
        if least > largest or not sampling.ignore_eos:
            yield PlanFault(
                ("sampling", "drawn_tokens"),
                f"draws {least} to {largest} tokens.",
                "Give the smaller number first, and set ignore_eos = true: an answer that ends by itself has no drawn length.",
            )
    for name in ("top_p", "min_p"):
        value = getattr(sampling, name)
        if value is not None and not 0 <= value <= 1:
            yield PlanFault(("sampling", name), f"got {value}, expected 0 to 1.", "Mend it, or leave it out.")
    if sampling.request_limit_s is not None and sampling.request_limit_s <= 0:
        yield PlanFault(
            ("sampling", "request_limit_s"), f"got {sampling.request_limit_s} s, expected more than 0.", "Mend it, or leave it out."
        )


def _draft_faults(protocol: Protocol) -> Iterator[PlanFault]:
    named = {arm.draft for arm in protocol.arms}
    for index, draft in enumerate(protocol.drafts):
        if draft.id in ("self", "untrained"):
            yield PlanFault(("drafts", index, "id"), f'"{draft.id}" names no model of its own.', "Give the draft another id.")
        elif draft.id not in named:
            yield PlanFault(("drafts", index, "id"), f'no arm drafts with "{draft.id}".', "Name it as an arm's draft, or remove it.")


def _drill_faults(protocol: Protocol, drill: Drill) -> Iterator[MessageAndRemedy]:
    if drill.kind == "overload" and drill.rate_per_s is None:
        yield f"{drill.id} is an overload without rate_per_s.", "Add it: arrivals per second beyond what the engine serves."
    if drill.kind != "overload" and drill.rate_per_s is not None:
        yield f"{drill.id} is no overload and has a rate_per_s.", "Remove it; requests are in flight all at once."
    if drill.rate_per_s is not None and drill.rate_per_s <= 0:
        yield f"{drill.id} has a rate of {drill.rate_per_s} per second.", "Give a rate above 0."
    if missing := [arm for arm in drill.arms if protocol.arm(arm) is None]:
        yield f'{drill.id} drills "{missing[0]}", which is no arm.', "Name an arm."
