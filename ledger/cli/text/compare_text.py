"""Comparisons of runs as text for a terminal of 80 columns, and as rows for programs."""

import os
import sys
from collections.abc import Iterator, Sequence

from ledger.cli.text.bench_text import result_listing
from ledger.cli.text.layout import WIDTH, Terminal, beside, paragraph, table_lines
from ledger.cli.text.output import Listing, Row
from ledger.cli.text.ratio_text import figure_lines
from ledger.model.records.run import Run
from ledger.render.report.report import Drawing, RatioFigure, ReportTable, RunReport, Section

_FACT_INDENT = 14


def terminal_of(*, is_ascii: bool) -> Terminal:
    """Return what standard output can show: plain signs where asked for, under `NO_COLOR`, and off UTF-8."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").casefold().replace("-", "")
    return Terminal(is_ascii=is_ascii or bool(os.environ.get("NO_COLOR")) or encoding not in ("utf8", "utf8sig"))


def report_lines(report: RunReport, terminal: Terminal) -> Iterator[str]:
    """Yield a comparison in lines of at most 80 columns."""
    yield from paragraph(terminal.text(report.title))
    for notice in report.notices:
        yield from paragraph(terminal.text(f"! {notice}"), hang=2)
    for name, text in report.facts:
        start = f"{terminal.text(name):<{_FACT_INDENT - 2}}  "
        yield from (
            paragraph(f"{start}{terminal.text(text)}", hang=_FACT_INDENT)
            if len(start) > _FACT_INDENT
            else beside(start, terminal.text(text))
        )
    for section in report.sections:
        if section.blocks and all(isinstance(block, Drawing) for block in section.blocks):
            continue  # a page draws what the tables hold
        yield ""
        yield from _section_lines(section, terminal)


def _section_lines(section: Section, terminal: Terminal) -> Iterator[str]:
    title = terminal.text(section.title)
    yield from paragraph(title)
    yield "=" * min(len(title), WIDTH)
    for proof in dict.fromkeys(block.proof for block in section.blocks):  # one of a section's blocks stands for all
        yield from (line for part in proof.split("; ") for line in paragraph(terminal.text(part), hang=2))
    for line in section.lines:
        yield from paragraph(terminal.text(line), hang=2)
    for block in section.blocks:
        if not isinstance(block, Drawing):
            yield ""
            yield from _block_lines(block, terminal, is_titled=block.title != section.title)


def _block_lines(block: ReportTable | RatioFigure, terminal: Terminal, *, is_titled: bool) -> Iterator[str]:
    if is_titled:
        yield from paragraph(terminal.text(block.title))
    if isinstance(block, RatioFigure):
        yield from figure_lines(block, terminal)
    else:
        yield from _table_lines(block, terminal)


def _table_lines(table: ReportTable, terminal: Terminal) -> Iterator[str]:
    rows = [[terminal.text(cell) for cell in row] for row in table.rows]
    if table.grouped:
        above = [None, *(row[0] for row in rows)]
        rows = [row if row[0] != before else ["", *row[1:]] for row, before in zip(rows, above, strict=False)]
    header = [terminal.text(cell) for cell in table.header]
    yield from table_lines(header, rows, table.numeric, under=[terminal.text(text) for text in table.under])
    for note in table.notes:
        yield from paragraph(terminal.text(note), hang=2)


def results_listing(runs: Sequence[Run]) -> Listing:
    """Return every metric of the runs as rows of one list, each with its run's label, status and protocol."""
    listings = [(run, result_listing(run)) for run in runs]
    rows = [{**row, **_run_fields(run)} for run, listing in listings for row in listing.rows]
    return Listing(rows, ("run", "load", "arm", "base", "metric", "printed", "n"), decimals=("low", "high"))


def _run_fields(run: Run) -> Row:
    return {"label": "measured", "planned": run.planned, "status": run.status, "protocol": run.protocol}
