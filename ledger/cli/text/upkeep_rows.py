"""What rests on a record, what no longer stands, and what nobody has tested, as rows."""

from collections.abc import Callable, Iterable
from datetime import date

from ledger.analysis.upkeep.coverage import TITLES, Coverage
from ledger.analysis.upkeep.impact import Impact
from ledger.analysis.upkeep.staleness import Citation, Stale
from ledger.cli.text.output import Listing, Row
from ledger.errors import FieldPath
from ledger.model.catalogue import Entry


def impact_listing(impact: Impact, line_of: Callable[[Entry, FieldPath], int | None]) -> Listing:
    """Return what would go stale with a record: the records that rest on it, then the sentences that cite them.

    Args:
        impact: What rests on the record.
        line_of: Returns the line of a field in the file of an entry.
    """
    rows: list[Row] = []
    for dependent in impact.dependents:
        entry = dependent.entry
        place = f"{entry.path}:{line_of(entry, dependent.link.field)}"
        how = f"{'.'.join(map(str, dependent.link.field))} names {dependent.link.target}"
        rows.append({"id": entry.record.id, "kind": entry.record.KIND, "place": place, "how": how, "steps": dependent.steps, "text": ""})
    for citation in impact.citations:
        how = f"cites {citation.record}" + (f"#{citation.name}" if citation.name else "")
        rows.append({"id": citation.cited_by, "kind": "article", "place": _place(citation), "how": how, "text": citation.sentence})
    return Listing(rows, ("id", "place", "how", "text"), wide=("id", "place", "how", "text"), facts=("place", "how"))


def stale_listing(citations: Iterable[Stale]) -> Listing:
    """Return citations that no longer stand as rows."""
    rows = [_stale_row(citation) for citation in citations]
    return Listing(rows, ("place", "record", "reason", "old", "new", "remedy"), wide=("place", "record"))


def _stale_row(stale: Stale) -> Row:
    citation = stale.citation
    return {
        "article": citation.cited_by,
        "place": _place(citation),
        "record": citation.record,
        "name": citation.name,
        "reason": stale.reason,
        "through": stale.through,
        "because": stale.because,
        "old": stale.old,
        "new": stale.new,
        "remedy": stale.remedy,
        "is_told": stale.is_told,
        "sentence": citation.sentence,
    }


def _place(citation: Citation) -> str:
    return f"{citation.path}:{citation.line}:{citation.column}"


def gap_listing(gaps: Iterable[Coverage], as_of: date) -> Listing:
    """Return each gap with how many records lie in it and how many may."""
    return Listing([_gap_row(gap) for gap in gaps], ("gap", "uncovered", "of", "allowed", "verdict"), as_of, wide=("gap",))


def _gap_row(gap: Coverage) -> Row:
    verdict = "no limit" if gap.allowed is None else "too many" if gap.is_exceeded else "allowed"
    return {
        "gap": f"{TITLES[gap.gap]} ({gap.gap})",
        "uncovered": len(gap.uncovered),
        "of": gap.total,
        "allowed": "" if gap.allowed is None else gap.allowed,
        "verdict": verdict,
    }


def uncovered_listing(gaps: Iterable[Coverage], as_of: date) -> Listing:
    """Return every record that lies in a gap, with the reason."""
    rows: list[Row] = [{"gap": each.gap, "record": each.record, "because": each.because} for gap in gaps for each in gap.uncovered]
    return Listing(rows, ("record", "because"), as_of, wide=("record", "because"))
