"""A run with its protocol, and the words that stand with its numbers in a comparison: label, load, saturation, n."""

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.analysis.claims.resolve import load_text
from ledger.model.records.protocol import Load, Protocol
from ledger.model.records.run import Cell, Measure, Run
from ledger.model.values.meaning import meaning_hash

NOT_RUN = "not run"
OLDER_STATISTICS = "Recorded under older statistics: its intervals leave out what differs between engine lives."
_EXECUTORS = {"own": "", "supplier": " by a supplier", "third-party": " by a third party"}
_HASH_LENGTH = 8


@dataclass(frozen=True, slots=True)
class RunUnderProtocol:
    """A run with the protocol that it executed."""

    run: Run
    protocol: Protocol | None
    """None where the ledger does not have it with the meaning that was run."""

    @classmethod
    def of(cls, run: Run, protocol: Protocol | None) -> "RunUnderProtocol":
        """Return a run with its protocol, or without it where its meaning is no longer the one that was run."""
        is_same = protocol is not None and meaning_hash(protocol) == run.protocol_meaning
        return cls(run, protocol if is_same else None)

    @property
    def arms(self) -> tuple[str, ...]:
        """Every arm, in the protocol's order."""
        planned = [arm.id for arm in self.protocol.arms] if self.protocol else []
        return tuple(dict.fromkeys([*planned, *(cell.arm for cell in self.run.cells)]))

    @property
    def loads(self) -> tuple[str, ...]:
        """Every load, in the protocol's order."""
        planned = [load.id for load in self.protocol.loads] if self.protocol else []
        return tuple(dict.fromkeys([*planned, *(cell.load for cell in self.run.cells)]))

    def load(self, load_id: str) -> Load | None:
        """Return a load's definition, where the protocol is there."""
        return next((load for load in self.protocol.loads if load.id == load_id), None) if self.protocol else None


def label_key(run: Run) -> str:
    """Return the key of a run's label: `measured`, or `unplanned` without a plan fixed beforehand."""
    return "measured" if run.planned else "unplanned"


def label_words(run: Run) -> str:
    """Return a run's label in words: `measured, planned`; who measured is named where it was not this ledger's organisation."""
    older = ", older statistics" if run.has_older_statistics else ""
    return f"measured{_EXECUTORS[run.executor.relation]}, {'planned' if run.planned else 'unplanned'}{older}"


def decision_words(run: Run) -> str:
    """Return what a run decided, as its head shows it; nothing rests on an unplanned run."""
    return (run.decision or "none recorded") if run.planned else "none: the run is unplanned"


def protocol_words(run: Run) -> str:
    """Return the protocol's id with the beginning of its meaning hash: `main (m1:ac7bb697)`."""
    version, _, digest = run.protocol_meaning.partition(":")
    return f"{run.protocol} ({version}:{digest[:_HASH_LENGTH]})"


def proof(run: Run) -> str:
    """Return what stands with every number of a run: label, run and protocol."""
    return f"{label_words(run)} · run {run.id} · protocol {protocol_words(run)}"


def load_words(load: Load | None, load_id: str) -> str:
    """Return a load's id with what it means: `c8 (closed loop, 8 in flight)`."""
    if load is None:
        return load_id
    return f"{load_id} ({load_text(load, 'heading')})"


def saturation_words(cell: Cell | None) -> str:
    """Return what a cell says of saturation: `no`, `in 1 of 2 repeats`, or why it was not asked or decided."""
    measure = cell.metrics.get("saturation.repeats") if cell else None
    if measure is None:
        return NOT_RUN if cell is None else "not asked"
    if measure.value is None:
        return measure.reason or "not decided"
    return f"in {measure.value:.0f} repeats" if measure.value else "no"


def n_text(*measures: Measure | None) -> str:
    """Return how many distinct prompts stand behind the numbers of a row, each count where they differ; `none` without a number."""
    counts = list(dict.fromkeys(measure.n for measure in measures if measure is not None))
    return ", ".join(map(str, counts)) or "none"


def interval_notes(measures: Iterable[Measure | None]) -> tuple[str, ...]:
    """Return why some values of a table have no interval, and what an interval bounds that is not the value's, each once."""
    shown = [measure for measure in measures if measure is not None and measure.value is not None]
    reasons = dict.fromkeys(m.interval_reason for m in shown if m.interval_reason and m.low is None)
    bounds = dict.fromkeys(m.interval_of for m in shown if m.interval_of and m.low is not None)
    notes = [f"(no interval): {'; '.join(filter(None, reasons))}."] if reasons else []
    return (*notes, *(f"Of rare events the interval bounds {what}." for what in bounds))
