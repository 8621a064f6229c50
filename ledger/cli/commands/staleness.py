"""`ledger impact` and `ledger article stale`: what would fall, and what has fallen."""

import sys
from typing import Annotated

import typer

from ledger.analysis.upkeep.impact import Impact
from ledger.analysis.upkeep.staleness import Citation, Stale
from ledger.api import Ledger
from ledger.cli.input.options import AsOfOption, FormatOption, OutOption, open_ledger, read_as_of, warn_of_unread
from ledger.cli.text.output import Format, Listing, Row, emit, note, report
from ledger.errors import ExitCode


def impact(record_id: Annotated[str, typer.Argument(metavar="ID")], *, form: FormatOption = Format.TABLE, out: OutOption = None) -> None:
    """Tell what would go stale if a record changed: records that rest on it, and sentences of drafts."""
    ledger = open_ledger()
    found = ledger.impact(record_id)
    warn_of_unread(ledger)
    emit(
        Listing(_rows(ledger, found), ("id", "place", "how", "text"), wide=("id", "place", "how", "text"), facts=("place", "how")),
        form,
        out,
    )


def _rows(ledger: Ledger, found: Impact) -> list[Row]:
    rows: list[Row] = []
    for dependent in found.dependents:
        entry = dependent.entry
        place = f"{entry.path}:{ledger.files.line_of(entry, dependent.link.field)}"
        how = f"{'.'.join(map(str, dependent.link.field))} names {dependent.link.target}"
        rows.append({"id": entry.record.id, "kind": entry.record.KIND, "place": place, "how": how, "steps": dependent.steps, "text": ""})
    for citation in found.citations:
        how = f"cites {citation.record}" + (f"#{citation.name}" if citation.name else "")
        rows.append({"id": citation.cited_by, "kind": "article", "place": _place(citation), "how": how, "text": citation.sentence})
    return rows


def stale(
    names: Annotated[list[str] | None, typer.Argument(metavar="[ARTICLE]...", help="Ids of drafts; all by default.")] = None,
    *,
    as_of: AsOfOption = None,
    told: Annotated[bool, typer.Option("--all", help="Also what the document itself tells beside the citation.")] = False,
    form: FormatOption = Format.TABLE,
    out: OutOption = None,
) -> None:
    """Tell which sentences of drafts no longer stand, why, and what to do; exit 1 if there are any."""
    ledger, day = open_ledger(), read_as_of(as_of)
    every = ledger.stale(names or None, as_of=day)
    found = [one for one in every if told or not one.is_told]
    warn_of_unread(ledger)
    if form == Format.TABLE:
        report((one.problem() for one in found), stream=sys.stdout)
    else:
        emit(
            Listing([_stale_row(one) for one in found], ("place", "record", "reason", "old", "new", "remedy"), wide=("place", "record")),
            form,
            out,
        )
    hidden = f"; {len(every) - len(found)} more are told beside the citation (--all)" if len(every) > len(found) else ""
    note(f"{len(found)} stale citation(s) as of {day}{hidden}.")
    if any(not one.is_told for one in every):
        raise typer.Exit(ExitCode.FINDINGS)


def _stale_row(one: Stale) -> Row:
    citation = one.citation
    return {
        "article": citation.cited_by,
        "place": _place(citation),
        "record": citation.record,
        "name": citation.name,
        "reason": one.reason,
        "through": one.through,
        "because": one.because,
        "old": one.old,
        "new": one.new,
        "remedy": one.remedy,
        "is_told": one.is_told,
        "sentence": citation.sentence,
    }


def _place(citation: Citation) -> str:
    return f"{citation.path}:{citation.line}:{citation.column}"
