"""What a rule of a protocol may ask: the figures that its run will have, from the table of metrics.

`tests/bench/test_known_times.py` holds that table to what a run has.
"""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import NamedTuple

from ledger.analysis.measures.drills import drill_result
from ledger.analysis.verdicts.facts import RATIO_GROUPS, Place, place
from ledger.errors import FieldPath
from ledger.model.records.protocol import Arm, Load, Protocol
from ledger.model.values.metrics import MEMORY_WORDS, METRICS, Need, draft_position
from ledger.model.values.reference import AnyReference, CellReference, FactReference, parse_reference


class PlanFault(NamedTuple):
    """What does not fit together in a protocol: the field below the protocol, what is wrong, how to mend it."""

    field: FieldPath
    message: str
    remedy: str


_SUFFIX_TREE_DEPTH = 24
"""How many tokens vLLM's suffix decoding drafts at most where it is not told."""
MessageAndRemedy = tuple[str, str]
"""What is wrong, how to mend it; the caller knows where."""


def rule_faults(protocol: Protocol) -> Iterator[PlanFault]:
    """Yield every rule that asks for something that the protocol's run will not have."""
    for index, rule in enumerate(protocol.rules):
        if fault := metric_fault(protocol, parse_reference(rule.metric), rule.metric):
            yield PlanFault(("rules", index, "metric"), *fault)


def metric_fault(protocol: Protocol, parsed: AnyReference, text: str) -> MessageAndRemedy | None:
    """Return what is wrong with a rule's metric and how to mend it; None where the run will have it."""
    if not isinstance(parsed, CellReference | FactReference):
        return f"{text} is no result of a run.", "Name a cell, a suite, memory or a drill of run:@this."
    if parsed.run != "@this":
        return f'it names the run "{parsed.run}".', "Name run:@this, the run that this protocol makes."
    return _cell_fault(protocol, parsed) if isinstance(parsed, CellReference) else _fact_fault(protocol, parsed, text)


def _cell_fault(protocol: Protocol, parsed: CellReference) -> MessageAndRemedy | None:
    load = next((load for load in protocol.loads if load.id == parsed.load), None)
    if fault := _no_arm(protocol, parsed.arm, parsed.base):
        return fault
    if load is None:
        return _unknown("load", parsed.load, (load.id for load in protocol.loads))
    if parsed.base and parsed.repeat:
        return "a ratio pools the repeats.", f"Remove r{parsed.repeat}."
    if parsed.repeat and parsed.repeat > protocol.repeats:
        return f"r{parsed.repeat} is beyond the {protocol.repeats} repeats.", "Name one of them, or none to pool them."
    return _stat_fault(protocol, parsed, load)


def _stat_fault(protocol: Protocol, parsed: CellReference, load: Load) -> MessageAndRemedy | None:
    key = f"{parsed.metric}.{parsed.stat}"
    if key == "goodput.mean" and not protocol.goodput_limits_s:
        return "goodput.mean needs limits.", "Add goodput_limits_s."
    known = ratio_metrics(protocol) if parsed.base else cell_metrics(protocol, load)
    if parsed.repeat:
        known = [key for key in known if not METRICS[key].is_pooled_only]
    if key in known:
        return None
    if not parsed.base and (position := draft_position(key)):
        return _position_fault(protocol, parsed.arm, position)
    if parsed.base and key in cell_metrics(protocol, load):
        return f"{key} has no ratio.", f"Bound {parsed.arm}/{load.id}/{key} itself, or name a ratio: {', '.join(known)}."
    return _unknown("metric", key, known)


def _drafted_by_itself(arm: Arm) -> int:
    """Return the most tokens that suffix decoding drafts where its arm names no number; 0 for every other method."""
    depth = arm.options.get("suffix_decoding_max_tree_depth", _SUFFIX_TREE_DEPTH)
    return depth if arm.method == "suffix" and isinstance(depth, int) else 0


def _position_fault(protocol: Protocol, name: str, position: int) -> MessageAndRemedy | None:
    arm = protocol.arm(name)
    drafted = (arm.num_speculative_tokens or _drafted_by_itself(arm)) if arm else 0
    if position <= drafted:
        return None
    return f"{name} drafts {drafted} tokens, so it has no position {position}.", "Name an earlier position, or another arm."


def cell_metrics(protocol: Protocol, load: Load) -> list[str]:
    """Return the metrics of a cell at a load; those of single draft positions are asked for by `draft_position`."""
    given = _given(protocol) | ({"open load"} if load.kind == "open" else set())
    return [key for key, metric in METRICS.items() if not metric.is_ratio_only and (metric.needs is None or metric.needs in given)]


def ratio_metrics(protocol: Protocol) -> list[str]:
    """Return the metrics of a comparison."""
    given = _given(protocol)
    return [key for key, metric in METRICS.items() if metric.has_ratio and (metric.needs is None or metric.needs in given)]


def _given(protocol: Protocol) -> set[Need]:
    """What all loads of a protocol have that some metrics need."""
    return {"goodput limits"} if protocol.goodput_limits_s else set()


def _fact_fault(protocol: Protocol, parsed: FactReference, text: str) -> MessageAndRemedy | None:
    where = place(parsed)
    if where is None:
        return f"{text} has no bound.", "Name suite.SUITE/ARM, memory.ARM/PART or drill.DRILL/ARM/METRIC."
    if where.base and parsed.group not in RATIO_GROUPS:
        return f"{parsed.group} knows no ratio.", f"Name one arm: {parsed.group}.{where.key(where.arm)}."
    return _no_arm(protocol, where.arm, where.base) or _part_fault(protocol, parsed.group, where)


def _part_fault(protocol: Protocol, group: str, where: Place) -> MessageAndRemedy | None:
    if group == "memory":
        return None if where.after in MEMORY_WORDS else _unknown("part of memory", where.after, MEMORY_WORDS)
    if group == "suite":
        return None if where.before in protocol.suites else _unknown("suite", where.before, protocol.suites)
    drill = next((drill for drill in protocol.drills if drill.id == where.before), None)
    if drill is None:
        return _unknown("drill", where.before, (drill.id for drill in protocol.drills))
    if drill.arms and where.arm not in drill.arms:
        return f"{drill.id} does not drill {where.arm}.", "Name one of its arms."
    known = drill_result(drill, (drill.id, where.arm), (), instants_s={}).metrics
    return None if where.after in known else _unknown("metric of a drill", where.after, known)


def _no_arm(protocol: Protocol, *names: str | None) -> MessageAndRemedy | None:
    missing = next((name for name in names if name and protocol.arm(name) is None), None)
    return _unknown("arm", missing, (arm.id for arm in protocol.arms)) if missing else None


def _unknown(what: str, name: str, known: Iterable[str]) -> MessageAndRemedy:
    known = list(known)
    near = get_close_matches(name, known, 1)
    some = f"Name one of {', '.join(known)}." if known else f"This protocol has no {what}; add one."
    return f'"{name}" is no {what}.', f"Did you mean {near[0]}?" if near else some
