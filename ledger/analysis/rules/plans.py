"""Rules about protocols: arms, loads, drills, limits, rules and candidates fit together."""

from collections import Counter
from collections.abc import Iterator

from ledger.analysis.rules.rubric import MessageAndRemedy, PlanFault, rule_faults
from ledger.errors import FieldPath, Problem
from ledger.model.catalogue import Catalogue
from ledger.model.records.protocol import Arm, Drill, Load, Protocol


def check_protocols(catalogue: Catalogue) -> Iterator[Problem]:
    """Arms, loads, rules and candidates fit together."""
    for entry in catalogue:
        if isinstance(entry.record, Protocol):
            for field, message, remedy in protocol_faults(entry.record):
                yield entry.problem("LEDG060", field, message, remedy)


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
    yield from rule_faults(protocol)
    yield from _decision_faults(protocol)


def _name_faults(protocol: Protocol) -> Iterator[PlanFault]:
    for name in ("arms", "loads", "rules", "drills"):
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
    if arm.method and arm.num_speculative_tokens is None:
        yield f"{arm.id} speculates without num_speculative_tokens.", "Add it."
    if arm.method == "draft_model" and arm.draft is None:
        yield f"{arm.id} has no draft model.", 'Add draft; "self" takes the target.'
    if arm.repeats_of and protocol.arm(arm.repeats_of) is None:
        yield f'{arm.id} repeats "{arm.repeats_of}", which is no arm.', "Name an arm."


def _load_faults(protocol: Protocol, load: Load) -> Iterator[MessageAndRemedy]:
    if load.kind == "closed" and (load.concurrency is None or load.rate_per_s is not None):
        yield f"{load.id} is a closed loop.", "Give concurrency, and no rate."
    if load.kind == "open" and (load.rate_per_s is None or load.arrivals is None):
        yield f"{load.id} is an open loop.", "Give rate_per_s and arrivals."
    if load.rate_per_s is not None and load.rate_per_s <= 0:
        yield f"{load.id} has a rate of {load.rate_per_s} per second.", "Give a rate above 0."
    if load.ramp_s is not None and load.ramp_s <= 0:
        yield f"{load.id} ramps over {load.ramp_s} s.", "Give a time above 0, or leave ramp_s out."
    if load.cache == "warm" and protocol.engine.get("enable_prefix_caching") is False:
        yield f"{load.id} asks for a warm cache, and the engine has prefix caching off.", "Set enable_prefix_caching = true."


def _drill_faults(protocol: Protocol, drill: Drill) -> Iterator[MessageAndRemedy]:
    if drill.kind == "overload" and drill.rate_per_s is None:
        yield f"{drill.id} is an overload without rate_per_s.", "Add it: arrivals per second beyond what the engine serves."
    if drill.kind != "overload" and drill.rate_per_s is not None:
        yield f"{drill.id} is no overload and has a rate_per_s.", "Remove it; requests are in flight all at once."
    if drill.rate_per_s is not None and drill.rate_per_s <= 0:
        yield f"{drill.id} has a rate of {drill.rate_per_s} per second.", "Give a rate above 0."
    if missing := [arm for arm in drill.arms if protocol.arm(arm) is None]:
        yield f'{drill.id} drills "{missing[0]}", which is no arm.', "Name an arm."
