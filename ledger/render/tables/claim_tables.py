"""Tables of claims: lists, statements that disagree, a claim against its measurement, proposals."""

from collections.abc import Callable

from ledger.analysis.claims.resolve import quantity_text
from ledger.analysis.validity.validity import is_current
from ledger.model.records.claim import Claim
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import EnvironmentFact
from ledger.model.records.source import Source
from ledger.render.citing.blocks import Against, ClaimColumn, ClaimsTable, Conflict, Proposed
from ledger.render.citing.citations import Citing, UnprintableError, date_of
from ledger.render.escape import escaped
from ledger.render.tables.grid import Grid

_HEADINGS = {"id": "Record", "label": "Label", "source": "Source"}


def claims_grid(block: ClaimsTable, citing: Citing) -> Grid:
    """Return the claims that a block asks for, one a row."""
    claims = _choose(block, citing)
    header = tuple(_HEADINGS.get(column, column.capitalize()) for column in block.columns)
    return Grid(header, tuple(_row(block, claim, citing) for claim in claims))


def _choose(block: ClaimsTable, citing: Citing) -> list[Claim]:
    if block.ids:
        return [citing.claim(record_id) for record_id in block.ids]
    if block.subject is None and block.label is None:
        raise UnprintableError("LEDG112", "a table of claims needs ids, a subject or a label.", "Add one.")
    evidence = citing.evidence
    side = block.side or evidence.article.side
    current = [
        c
        for c in evidence.catalogue.of(Claim)
        if c.side == side and _matches(block, c) and is_current(evidence.catalogue, c, evidence.as_of)
    ]
    if not current:
        raise UnprintableError("LEDG112", f"no current {side} claim matches the table's subject and label.", "Widen it, or name ids.")
    return [citing.claim(claim.id) for claim in sorted(current, key=lambda claim: (str(claim.asserted_on or ""), claim.id))]


def _matches(block: ClaimsTable, claim: Claim) -> bool:
    within = block.subject is None or claim.subject == block.subject or claim.subject.startswith(f"{block.subject}/")
    return within and block.label in (None, claim.label)


def _row(block: ClaimsTable, claim: Claim, citing: Citing) -> tuple[str, ...]:
    cited = citing.evidence.describe(claim)
    cells = [_cell(column, claim, citing) for column in block.columns]
    tail = [] if "source" in block.columns else [citing.marks([cited])]
    if "label" not in block.columns:
        tail.append(citing.badges([cited]))
    cells[0] = " ".join([cells[0], *tail])
    return tuple(cells)


def _cell(column: ClaimColumn, claim: Claim, citing: Citing) -> str:
    make = _CELLS.get(column)
    return make(claim, citing) if make else escaped(str(getattr(claim, column) or ""))


def values_cell(claim: Claim, citing: Citing) -> str:
    """Return every value of a claim with its name; a single one stands without."""
    texts = [(q.name, quantity_text(q)) for q in claim.quantities]
    texts += [(name, citing.value(f"{claim.id}#{name}", interval=True)) for name in claim.values]
    if len(texts) == 1:
        return escaped(texts[0][1])
    return "; ".join(f"{_words(name)} {escaped(text)}" for name, text in texts)


def conditions(claim: Claim) -> dict[str, str]:
    """Return what a claim's numbers hold for, over all its quantities; differing ones are listed."""
    listed: dict[str, dict[str, None]] = {}
    for quantity in claim.quantities:
        for key, text in quantity.conditions.items():
            listed.setdefault(key, {})[text] = None
    return {key: "; ".join(texts) for key, texts in listed.items()}


def _conditions_cell(claim: Claim) -> str:
    return "; ".join(f"{_words(key)}: {escaped(text)}" for key, text in conditions(claim).items())


def _caveats_cell(claim: Claim) -> str:
    """Caveats as sentences."""
    return escaped(" ".join(f"{caveat.rstrip('.')}." for caveat in claim.caveats))


def _words(key: str) -> str:
    """A key as it prints."""
    return escaped(key.replace("-", " ").replace("_", " "))


def source_cell(claim: Claim, citing: Citing) -> str:
    """Return the publisher and the source number."""
    source = citing.evidence.catalogue.get(claim.source or "", Source)
    return escaped(source.publisher if source else "This ledger") + citing.marks([citing.evidence.describe(claim)])


def conflict_grid(block: Conflict, citing: Citing) -> Grid:
    """Return claims in columns, what they say and hold for in rows."""
    claims = [citing.claim(record_id) for record_id in block.ids]
    rows = [("Statement", *(citing.statement(claim) for claim in claims))]
    rows += [("Label", *(citing.badges([citing.evidence.describe(claim)]) for claim in claims))]
    rows += _row_unless_blank("Version", [escaped(claim.version or "") for claim in claims])
    rows += _row_unless_blank("Values", [values_cell(claim, citing) for claim in claims])
    rows += _condition_rows([conditions(claim) for claim in claims])
    rows += _row_unless_blank("Caveats", [_caveats_cell(claim) for claim in claims])
    header = ("", *(f"{source_cell(claim, citing)} {date_of(claim)}" for claim in claims))
    return Grid(header, tuple(rows))


def _row_unless_blank(name: str, cells: list[str]) -> list[tuple[str, ...]]:
    """A row in which a blank says that the source states nothing; no row where all are blank."""
    return [(name, *(cell or "none stated" for cell in cells))] if any(cells) else []


def _condition_rows(columns: list[dict[str, str]]) -> list[tuple[str, ...]]:
    keys = dict.fromkeys(key for column in columns for key in column)
    return [(_words(key.capitalize()), *(escaped(column.get(key, "not stated")) for column in columns)) for key in keys]


def against_grid(block: Against, citing: Citing) -> Grid:
    """Return a claim and its measurement in two columns, and which conditions differ in a third."""
    claimed, measured = citing.claim(block.claim), citing.claim(block.measured)
    if measured.label != "measured":
        raise UnprintableError("LEDG112", f"{measured.id} is {measured.label}, expected a measured claim.", "Name a measured claim.")
    sides = (claimed, measured)
    left, right = conditions(claimed), conditions(measured) | _run_conditions(measured, citing)
    rows = [("Statement", *(citing.statement(claim) for claim in sides), "")]
    rows += [("Label", *(citing.badges([citing.evidence.describe(claim)]) for claim in sides), "")]
    rows += [("Date", *(date_of(claim) for claim in sides), "")]
    rows += [("Values", *(values_cell(claim, citing) for claim in sides), "")]
    rows += [
        (*row, _compare(left.get(key), right.get(key)))
        for key, row in zip(dict.fromkeys([*left, *right]), _condition_rows([left, right]), strict=True)
    ]
    header = ("", *(f"{word}: {source_cell(claim, citing)}" for word, claim in zip(("Claimed", "Measured"), sides, strict=True)), "Same?")
    return Grid(header, tuple(rows))


def _compare(left: str | None, right: str | None) -> str:
    if left is None or right is None:
        return "not comparable: not stated"
    return "same" if left.casefold() == right.casefold() else "differs"


def _run_conditions(claim: Claim, citing: Citing) -> dict[str, str]:
    stated: dict[str, str] = {}
    for run in citing.evidence.runs_of(claim):
        protocol = citing.evidence.catalogue.get(run.protocol, Protocol)
        if protocol:
            stated["model"] = protocol.model.name
        stated |= {key: str(run.environment[key]) for key in (EnvironmentFact.HARDWARE, EnvironmentFact.ENGINE) if key in run.environment}
    return stated


_CELLS: dict[ClaimColumn, Callable[[Claim, Citing], str]] = {
    "statement": lambda claim, citing: citing.statement(claim),
    "label": lambda claim, citing: citing.badges([citing.evidence.describe(claim)]),
    "date": lambda claim, _citing: date_of(claim),
    "value": values_cell,
    "conditions": lambda claim, _citing: _conditions_cell(claim),
    "caveats": lambda claim, _citing: _caveats_cell(claim),
    "source": source_cell,
    "standing": lambda claim, citing: citing.evidence.status(claim) or "current",
}
"""Columns that are not a field of the claim."""


def proposed_list(block: Proposed, citing: Citing) -> str:
    """Return proposals as a Markdown list."""
    lines = []
    for record_id in block.ids:
        claim = citing.claim(record_id)
        if claim.label != "proposed":
            raise UnprintableError("LEDG112", f"{claim.id} is {claim.label}, expected a proposed claim.", "List it elsewhere.")
        cited = [citing.evidence.describe(claim)]
        lines.append(f"- {citing.statement(claim)}{citing.marks(cited)} {citing.badges(cited)}")
    return "\n".join(lines)
