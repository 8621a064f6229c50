"""A run's journal as evidence: every line but the rows of the Parquet files, which it names. Pure.

The journal itself holds every request in full and is not kept beside the Parquet files that hold the same. What is kept
is the rest of it, with the link of its last line: from both the journal comes back line by line, and its chain tells
whether it is the one that was written.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from ledger.bench.journal.chain import START, link
from ledger.bench.journal.evidence_rows import evidence_rows
from ledger.bench.journal.journal import Line, encode_line
from ledger.bench.plan.suite_results import SuiteAnswer
from ledger.errors import DataRefusedError
from ledger.model.trace import RequestTrace

EVENTS = "events.jsonl"
MEDIA_TYPE = "application/jsonl"
ROW, END = "row", "journal-end"
"""Kinds of the lines that stand for a row of a file, and for the end of the journal."""
TRACE_FIELDS = tuple(RequestTrace.__slots__)
"""In the order in which a journal writes them."""
ANSWER_FIELDS = tuple(field.name for field in fields(SuiteAnswer))
Rows = Mapping[str, Sequence[RequestTrace | SuiteAnswer]]
"""Evidence file to its rows."""


def events_content(lines: Sequence[Line]) -> bytes:
    """Return the content of the evidence file for a journal's lines, which are chained."""
    places = {place: (file, row) for file, found in evidence_rows(lines).items() for row, place in enumerate(found)}
    content, previous = [], START
    for place, line in enumerate(lines):
        body = _body(line)
        previous = link(body, previous)
        file, row = places.get(place, (None, None))
        content.append(_body({"kind": ROW, "file": file, "row": row, **_beside_the_row(line)} if file else line))
    content.append(_body({"kind": END, "lines": len(lines), "link": previous}))
    return b"\n".join(content) + b"\n"


def restore_lines(content: bytes, rows: Rows, *, name: str) -> list[Line]:
    """Return the lines of the journal that an evidence file and the Parquet files beside it were made from.

    Args:
        content: Of the evidence file.
        rows: Those of the Parquet files.
        name: The file, for messages.

    Raises:
        DataRefusedError: they are not those of one journal, or something in them was changed.
    """
    try:
        *events, end = [json.loads(line) for line in content.decode("utf-8", "surrogatepass").splitlines()]
        lines = [_restored(event, rows) for event in events]
        expected, count = str(end["link"]), int(end["lines"])
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        fault = f"{type(error).__name__}: {error}"
        raise DataRefusedError(f"{name}: is not what the runner writes ({fault}). Get the run's evidence again.") from error
    if count != len(lines) or last_link(lines) != expected:
        raise DataRefusedError(f"{name}: is not the journal that was written: a line or a row was changed, added, moved or taken out.")
    return lines


def last_link(lines: Sequence[Line]) -> str:
    """Return the link of the last of a journal's lines."""
    previous = START
    for line in lines:
        previous = link(_body(line), previous)
    return previous


def _restored(event: Line, rows: Rows) -> Line:
    if event["kind"] != ROW:
        return event
    row = rows[event["file"]][event["row"]]
    if isinstance(row, SuiteAnswer):
        return {"kind": "answer"} | {name: getattr(row, name) for name in ANSWER_FIELDS}
    return {"kind": "request", "t": event["t"]} | {name: getattr(row, name) for name in TRACE_FIELDS}


def _beside_the_row(line: Line) -> dict[str, Any]:
    """Return what a line holds that its row does not: when it was written."""
    return {"t": line["t"]} if "t" in line else {}


def _body(line: Line) -> bytes:
    return encode_line(line, None)[0].rstrip(b"\n")
