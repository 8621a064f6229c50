"""Rules about runs: what they hold fits their protocol, and nothing is decided by one that may not decide."""

from collections.abc import Iterator

from ledger.analysis.verdicts.facts import why_no_verdict
from ledger.errors import Problem
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Run


def check_runs(catalogue: Catalogue) -> Iterator[Problem]:
    """A complete run has a cell for every arm and load of its protocol, and no other."""
    for entry in catalogue:
        if isinstance(entry.record, Run) and (protocol := catalogue.get(entry.record.protocol, Protocol)):
            yield from _run_faults(entry, entry.record, protocol)


def check_verdicts(catalogue: Catalogue) -> Iterator[Problem]:
    """No verdict and no decision rests on a run that is not complete, or that was not planned."""
    for entry in catalogue:
        if not isinstance(entry.record, Run) or not (because := why_no_verdict(entry.record.status, planned=entry.record.planned)):
            continue
        for index, verdict in enumerate(entry.record.verdicts):
            if verdict.outcome != "inconclusive":
                message = f"{verdict.rule} says {verdict.outcome}, and {because}."
                yield entry.problem("LEDG063", ("verdicts", index, "outcome"), message, remedy="Record the run again from its traces.")
        if entry.record.decision is not None:
            message = f"decides for {entry.record.decision}, and {because}."
            yield entry.problem("LEDG063", ("decision",), message, remedy="Record the run again from its traces.")


def _run_faults(entry: Entry, run: Run, protocol: Protocol) -> Iterator[Problem]:
    planned = {(arm.id, load.id) for arm in protocol.arms for load in protocol.loads}
    recorded = {(cell.arm, cell.load) for cell in run.cells}
    for arm, load in sorted(recorded - planned):
        yield entry.problem("LEDG061", ("cells",), f"{arm}/{load} is not in {protocol.id}.", remedy="Name the protocol that was run.")
    for arm, load in sorted(planned - recorded) if run.status == "complete" else ():
        yield entry.problem(
            "LEDG061", ("cells",), f"{arm}/{load} of {protocol.id} is missing in a complete run.", remedy="Call it partial."
        )
    if run.finished_at < run.started_at and not any("wall clock" in deviation for deviation in run.deviations):
        yield entry.problem(
            "LEDG061", ("finished_at",), "ended before it started.", remedy="Mend the times; durations come from the monotonic clock."
        )
