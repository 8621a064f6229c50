"""What a rule of a protocol may ask: the figures that its run will have.

The names stand here by themselves, since every command checks records and the analysis of traces takes long to load;
`tests/bench/test_known_times.py` holds them to what a run has.
"""

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from ledger.analysis.measures.drills import drill_result
from ledger.analysis.verdicts.facts import MEMORY_PARTS, RATIO_GROUPS, Place, place
from ledger.errors import FieldPath
from ledger.model.records.protocol import Load, Protocol
from ledger.model.values.reference import AnyReference, CellReference, FactReference, parse_reference

Fault = tuple[FieldPath, str, str]
"""Field below the protocol, what was found, how to mend it."""
LATENCIES = ("ttft", "service-ttft", "client-lag", "e2e", "tpot", "longest-stall", "itl", "chunk-gap")
QUANTILES = ("p50", "p95", "p99")
LATENCY_STATS = (*QUANTILES, "mean", "min", "max", "count")
ACCEPTANCE = ("rate", "mean-accepted", "tokens-per-step", "drafted", "accepted", "not-delivered")
POSITION = re.compile(r"^acceptance\.position-([1-9]\d*)$")


def rule_faults(protocol: Protocol) -> Iterator[Fault]:
    """Yield every rule that asks for something that the protocol's run will not have."""
    for index, rule in enumerate(protocol.rules):
        if fault := metric_fault(protocol, parse_reference(rule.metric), rule.metric):
            yield ("rules", index, "metric"), *fault


def metric_fault(protocol: Protocol, parsed: AnyReference, text: str) -> tuple[str, str] | None:
    """Return what is wrong with a rule's metric and how to mend it; None where the run will have it."""
    if not isinstance(parsed, CellReference | FactReference):
        return f"{text} is no result of a run.", "Name a cell, a suite, memory or a drill of run:@this."
    if parsed.run != "@this":
        return f'it names the run "{parsed.run}".', "Name run:@this, the run that this protocol makes."
    return _cell_fault(protocol, parsed) if isinstance(parsed, CellReference) else _fact_fault(protocol, parsed, text)


def _cell_fault(protocol: Protocol, parsed: CellReference) -> tuple[str, str] | None:
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


def _stat_fault(protocol: Protocol, parsed: CellReference, load: Load) -> tuple[str, str] | None:
    key = f"{parsed.metric}.{parsed.stat}"
    if key == "goodput.mean" and not protocol.goodput_limits_s:
        return "goodput.mean needs limits.", "Add goodput_limits_s."
    known = ratio_metrics(protocol) if parsed.base else cell_metrics(protocol, load)
    if parsed.repeat:
        known = [one for one in known if not one.startswith("match.")]
    if key in known:
        return None
    if not parsed.base and (position := POSITION.match(key)):
        return _position_fault(protocol, parsed.arm, int(position[1]))
    if parsed.base and key in cell_metrics(protocol, load):
        return f"{key} has no ratio.", f"Bound {parsed.arm}/{load.id}/{key} itself, or name a ratio: {', '.join(known)}."
    return _unknown("metric", key, known)


def _position_fault(protocol: Protocol, name: str, position: int) -> tuple[str, str] | None:
    arm = protocol.arm(name)
    drafted = (arm.num_speculative_tokens or 0) if arm else 0
    if position <= drafted:
        return None
    return f"{name} drafts {drafted} tokens, so it has no position {position}.", "Name an earlier position, or another arm."


def cell_metrics(protocol: Protocol, load: Load) -> list[str]:
    """Return the metrics of a cell at a load; those of single draft positions are matched by `POSITION`."""
    found = [f"{metric}.{stat}" for metric in LATENCIES for stat in LATENCY_STATS]
    found += ["throughput.mean", "throughput.steady", "requests-per-s.mean", "output-tokens.total", "prompt-tokens.total"]
    found += ["prefix-cache.hit-share", *(f"acceptance.{name}" for name in ACCEPTANCE), "match.rate", "match.first-difference"]
    found += ["saturation.repeats"] if load.kind == "open" else []
    return found + (["goodput.mean"] if protocol.goodput_limits_s else [])


def ratio_metrics(protocol: Protocol) -> list[str]:
    """Return the metrics of a comparison."""
    return [
        *(f"{metric}.{stat}" for metric in LATENCIES for stat in QUANTILES),
        *("throughput.mean", "requests-per-s.mean", "match.rate", "match.first-difference"),
        *(["goodput.mean"] if protocol.goodput_limits_s else []),
    ]


def _fact_fault(protocol: Protocol, parsed: FactReference, text: str) -> tuple[str, str] | None:
    where = place(parsed)
    if where is None:
        return f"{text} has no bound.", "Name suite.SUITE/ARM, memory.ARM/PART or drill.DRILL/ARM/METRIC."
    if where.base and parsed.group not in RATIO_GROUPS:
        return f"{parsed.group} knows no ratio.", f"Name one arm: {parsed.group}.{where.key(where.arm)}."
    return _no_arm(protocol, where.arm, where.base) or _part_fault(protocol, parsed.group, where)


def _part_fault(protocol: Protocol, group: str, where: Place) -> tuple[str, str] | None:
    if group == "memory":
        return None if where.after in MEMORY_PARTS else _unknown("part of memory", where.after, MEMORY_PARTS)
    if group == "suite":
        return None if where.before in protocol.suites else _unknown("suite", where.before, protocol.suites)
    drill = next((drill for drill in protocol.drills if drill.id == where.before), None)
    if drill is None:
        return _unknown("drill", where.before, (drill.id for drill in protocol.drills))
    if drill.arms and where.arm not in drill.arms:
        return f"{drill.id} does not drill {where.arm}.", "Name one of its arms."
    known = drill_result(drill, (drill.id, where.arm), (), {}).metrics
    return None if where.after in known else _unknown("metric of a drill", where.after, known)


def _no_arm(protocol: Protocol, *names: str | None) -> tuple[str, str] | None:
    missing = next((name for name in names if name and protocol.arm(name) is None), None)
    return _unknown("arm", missing, (arm.id for arm in protocol.arms)) if missing else None


def _unknown(what: str, name: str, known: Iterable[str]) -> tuple[str, str]:
    known = list(known)
    near = get_close_matches(name, known, 1)
    some = f"Name one of {', '.join(known)}." if known else f"This protocol has no {what}; add one."
    return f'"{name}" is no {what}.', f"Did you mean {near[0]}?" if near else some
