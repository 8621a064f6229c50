"""How a run's numbers print in a comparison: its label, its cells' values, and what must stand beside them."""

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.analysis.claims.resolve import load_text, measure_number, measure_text
from ledger.model.records.protocol import Load, Protocol
from ledger.model.records.run import Cell, Measure, Run
from ledger.model.values.meaning import meaning_hash
from ledger.model.values.units import with_unit
from ledger.render.tables.run_tables import memory_text

NOT_RUN, NOT_RECORDED = "not run", "not recorded"
SATURATED = "saturated"
_EXECUTORS = {"own": "", "supplier": " by a supplier", "third-party": " by a third party"}
_HASH_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Judged:
    """A run with the protocol it was run under; `protocol` is None where that is not there with the meaning that was run."""

    run: Run
    protocol: Protocol | None

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


def judged(run: Run, protocol: Protocol | None) -> Judged:
    """Return a run with its protocol, if that still has the meaning that was run."""
    return Judged(run, protocol if protocol is not None and meaning_hash(protocol) == run.protocol_meaning else None)


def label_key(run: Run) -> str:
    """Return the key of a run's label: `measured`, or `unplanned` without a plan fixed beforehand."""
    return "measured" if run.planned else "unplanned"


def label_words(run: Run) -> str:
    """Return a run's label in words: `measured, planned`; who measured is named where it was not this ledger's organisation."""
    return f"measured{_EXECUTORS[run.executor.relation]}, {'planned' if run.planned else 'unplanned'}"


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


def is_saturated(cell: Cell | None) -> bool:
    """Whether arrivals outran the engine in at least one repeat of a cell."""
    return cell is not None and cell.is_saturated


def named(arm: str, *cells: Cell | None) -> str:
    """Return an arm's name, flagged where one of the cells behind the number was saturated."""
    return f"{arm} [{SATURATED}]" if any(is_saturated(cell) for cell in cells) else arm


def printed_unit(measures: Iterable[Measure | None]) -> str:
    """Return the unit that all of the measures print with, for a heading; empty where they differ or stay with the number."""
    units = {measure_number(0.0, measure.unit)[1] for measure in measures if measure is not None}
    return units.pop() if len(units) == 1 and not units & {"x", "count", "tokens"} else ""


def value_text(measure: Measure | None, unit: str = "") -> str:
    """Return a measure with its interval, or the reason there is none; without its unit where that is the heading's."""
    if measure is None:
        return NOT_RECORDED
    if measure.value is None:
        return measure.reason or NOT_RECORDED
    text = measure_text(measure, interval=True)
    number, own = measure_number(measure.value, measure.unit)
    text = text.replace(with_unit(number, own), number, 1) if unit and own == unit else text
    return text if measure.low is not None or not measure.interval_reason else f"{text} (no interval)"


def size_text(measure: Measure | None) -> str:
    """Return a measure as `value_text` does, a size in GiB from 1 GiB on."""
    if measure is None or measure.value is None or measure.unit != "bytes":
        return value_text(measure)
    return memory_text(measure.value)


def n_text(*measures: Measure | None) -> str:
    """Return how many distinct prompts stand behind the numbers of a row, each count where they differ; `none` without a number."""
    counts = list(dict.fromkeys(measure.n for measure in measures if measure is not None))
    return ", ".join(map(str, counts)) or "none"


def interval_notes(measures: Iterable[Measure | None]) -> tuple[str, ...]:
    """Return why some values of a table have no interval, each reason once."""
    reasons = {m.interval_reason: None for m in measures if m is not None and m.value is not None and m.interval_reason and m.low is None}
    return (f"(no interval): {'; '.join(reasons)}.",) if reasons else ()
