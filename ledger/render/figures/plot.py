"""What a figure shows, before it is drawn: its marks, the same as a table, and a description in words."""

from dataclasses import dataclass
from decimal import Decimal

from ledger.analysis.claims.resolve import measure_number, quantity_text
from ledger.model.records.claim import Claim, Quantity
from ledger.model.records.run import Measure
from ledger.model.records.source import Source
from ledger.render.citing.blocks import RangeFigure
from ledger.render.citing.citations import Citing, UnprintableError
from ledger.render.citing.evidence import CitedRecord

Scalar = str | float | bool | None


@dataclass(frozen=True, slots=True)
class Plot:
    """A figure's data, ready to be drawn and to be read as a table."""

    kind: str
    axis: str
    values: tuple[dict[str, Scalar], ...]
    """One mapping per mark, as the chart takes it."""
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """The same as a table, as texts."""
    cited: tuple[CitedRecord, ...] = ()
    """Of claims: those whose quantities it shows. A figure of a run cites the run in its caption."""
    arms: tuple[str, ...] = ()
    """Every arm of the run's protocol, in order: an arm's place decides how it is drawn in each figure."""
    top: float | None = None
    """Where the vertical axis ends, if an interval reaches beyond; None where everything fits."""

    @property
    def alt(self) -> str:
        """The figure in words."""
        facts = "; ".join(": ".join(part for part in (", ".join(row[:-1]), row[-1]) if part) for row in self.rows)
        return f"{self.axis}. {facts}."


def range_plot(block: RangeFigure, citing: Citing) -> Plot:
    """Return quantities of claims as dots and ranges.

    Raises:
        UnprintableError: units differ, labels do not match, or a reference fails.
    """
    if block.labels and len(block.labels) != len(block.quantities):
        raise UnprintableError(
            "LEDG112", f"{len(block.labels)} labels for {len(block.quantities)} quantities.", "Give one per quantity, or none."
        )
    shown = [_quantity(reference, citing) for reference in block.quantities]
    units = dict.fromkeys(unit for _, unit, _ in shown)
    if len(units) > 1:
        raise UnprintableError("LEDG112", f"quantities in {' and '.join(units)} on one axis.", "Draw one figure per unit.")
    labels = block.labels or tuple(_row_name(cited, citing) for cited, _, _ in shown)
    values = []
    for order, ((cited, _unit, mark), label) in enumerate(zip(shown, labels, strict=True)):
        numbers = ", ".join(str(number) for number in citing.register.numbers(cited))
        values.append(mark | {"order": order, "row": f"{label}  [{numbers}]", "label": cited.badge.key})
    rows = tuple((label, cited.badge.text, str(mark["text"])) for (cited, _, mark), label in zip(shown, labels, strict=True))
    axis = block.axis or _axis(shown[0][1], block.quantities[0])
    return Plot("range", axis, tuple(values), ("What", "Label", "Value"), rows, tuple(cited for cited, _, _ in shown))


def _axis(unit: str, reference: str) -> str:
    name = reference.partition("#")[2].replace("-", " ").capitalize()
    return f"{name}, {unit}"


def _row_name(cited: CitedRecord, citing: Citing) -> str:
    record = cited.record
    if not isinstance(record, Claim):
        return record.id
    source = citing.evidence.catalogue.get(record.source or "", Source)
    return f"{record.subject}, {source.publisher if source else 'this ledger'}"


def _quantity(reference: str, citing: Citing) -> tuple[CitedRecord, str, dict[str, Scalar]]:
    cited = citing.cite(reference)
    text = citing.value(reference, interval=True)
    measure = citing.evidence.value(reference).measure
    if measure is not None:
        unit, mark = printed_ends(measure)
        return cited, unit, mark | {"text": text}
    quantity = cited.record.quantity(reference.partition("#")[2]) if isinstance(cited.record, Claim) else None
    if quantity is None:
        raise UnprintableError("LEDG112", f"{reference} is no number.", "Name a quantity.")
    return cited, quantity.unit, _stated(quantity) | {"text": quantity_text(quantity)}


def _stated(quantity: Quantity) -> dict[str, Scalar]:
    value = None if quantity.value is None else float(quantity.value)
    low, high = (None if end is None else float(end) for end in (quantity.low, quantity.high))
    return {"value": value, "low": low, "high": high, "bound": quantity.bound}


def printed_ends(measure: Measure) -> tuple[str, dict[str, Scalar]]:
    """Return the unit that a measure prints with, and its value and interval in that unit."""
    value, low, high = (None if end is None else _printed(end, measure.unit) for end in (measure.value, measure.low, measure.high))
    return measure_number(0.0, measure.unit)[1], {"value": value, "low": low, "high": high, "bound": "exactly"}


def _printed(value: float, unit: str) -> float:
    """A value in the unit that it prints with, unrounded."""
    factor = {"s": Decimal(1000), "share": Decimal(100), "bytes": Decimal(1) / 2**20}.get(unit, Decimal(1))
    return float(Decimal(repr(value)) * factor)
