"""Rules about protocols and runs."""

from collections import Counter
from collections.abc import Iterator

from ledger.errors import FieldPath, Problem
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.protocol import Arm, Load, Protocol
from ledger.model.reference import CellReference, FactReference, parse_reference
from ledger.model.run import Run

Fault = tuple[FieldPath, str, str]


def check_protocols(catalogue: Catalogue) -> Iterator[Problem]:
    """Arms, loads, rules and candidates name each other rightly."""
    for entry in catalogue:
        if isinstance(entry.record, Protocol):
            for field, message, remedy in protocol_faults(entry.record):
                yield entry.problem("LEDG060", field, message, remedy)


def protocol_faults(protocol: Protocol) -> Iterator[Fault]:
    """Yield everything in a plan that does not fit together."""
    for name in ("arms", "loads", "rules"):
        for item, count in Counter(part.id for part in getattr(protocol, name)).items():
            if count > 1:
                yield (name,), f'"{item}" is used twice.', "Rename one."
    if protocol.baseline.method:
        yield ("arms", 0, "method"), "the first arm is the baseline and runs without speculation.", "Put a plain arm first."
    for index, arm in enumerate(protocol.arms):
        yield from ((("arms", index), *fault) for fault in _arm_faults(protocol, arm))
    for index, load in enumerate(protocol.loads):
        yield from ((("loads", index), *fault) for fault in _load_faults(load))
    for index, rule in enumerate(protocol.rules):
        if fault := _metric_fault(protocol, rule.metric):
            yield ("rules", index, "metric"), fault, "Name an arm and a load of this protocol."
    for name in (*protocol.decision.candidates, protocol.decision.otherwise) if protocol.decision else ():
        if protocol.arm(name) is None:
            yield ("decision",), f'"{name}" is no arm.', "Name an arm."


def _arm_faults(protocol: Protocol, arm: Arm) -> Iterator[tuple[str, str]]:
    if arm.method and arm.num_speculative_tokens is None:
        yield f"{arm.id} speculates without num_speculative_tokens.", "Add it."
    if arm.method == "draft_model" and arm.draft is None:
        yield f"{arm.id} has no draft model.", 'Add draft; "self" takes the target.'
    if arm.repeats_of and protocol.arm(arm.repeats_of) is None:
        yield f'{arm.id} repeats "{arm.repeats_of}", which is no arm.', "Name an arm."


def _load_faults(load: Load) -> Iterator[tuple[str, str]]:
    if load.kind == "closed" and (load.concurrency is None or load.rate_per_s is not None):
        yield f"{load.id} is a closed loop.", "Give concurrency, and no rate."
    if load.kind == "open" and (load.rate_per_s is None or load.arrivals is None):
        yield f"{load.id} is an open loop.", "Give rate_per_s and arrivals."


def _metric_fault(protocol: Protocol, reference: str) -> str | None:
    parsed = parse_reference(reference)
    if isinstance(parsed, FactReference):
        return None if parsed.group == "suite" else f"{reference} has no bound."
    if not isinstance(parsed, CellReference):
        return f"{reference} is no result of a run."
    arms = [parsed.arm, *([parsed.base] if parsed.base else [])]
    missing = [arm for arm in arms if protocol.arm(arm) is None]
    if missing:
        return f'"{missing[0]}" is no arm.'
    return None if any(load.id == parsed.load for load in protocol.loads) else f'"{parsed.load}" is no load.'


def check_runs(catalogue: Catalogue) -> Iterator[Problem]:
    """A complete run has a cell for every arm and load of its protocol, and no other."""
    for entry in catalogue:
        if isinstance(entry.record, Run) and (protocol := catalogue.get(entry.record.protocol, Protocol)):
            yield from _run_faults(entry, entry.record, protocol)


def _run_faults(entry: Entry, run: Run, protocol: Protocol) -> Iterator[Problem]:
    planned = {(arm.id, load.id) for arm in protocol.arms for load in protocol.loads}
    found = {(cell.arm, cell.load) for cell in run.cells}
    for arm, load in sorted(found - planned):
        yield entry.problem("LEDG061", ("cells",), f"{arm}/{load} is not in {protocol.id}.", "Name the protocol that was run.")
    for arm, load in sorted(planned - found) if run.status == "complete" else ():
        yield entry.problem("LEDG061", ("cells",), f"{arm}/{load} of {protocol.id} is missing in a complete run.", "Call it partial.")
    if run.finished_at < run.started_at and not any("wall clock" in deviation for deviation in run.deviations):
        yield entry.problem(
            "LEDG061", ("finished_at",), "ended before it started.", "Mend the times; durations come from the monotonic clock."
        )
