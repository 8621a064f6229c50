"""A comparison as one HTML page: styles, fonts and figures inside, no script, no address that loads; the same bytes each time."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from ledger.render import assets
from ledger.render.figures.plot import Plot
from ledger.render.figures.svg import svg_of
from ledger.render.glossary import LABELS, terms_in
from ledger.render.report.ratio_chart import figure_svg, with_description
from ledger.render.report.report import Drawing, RatioFigure, ReportBlock, ReportTable, RunReport
from ledger.render.templates import environment

TEMPLATE = "comparison.html.j2"


@dataclass(frozen=True, slots=True)
class PageCell:
    """A cell as the page writes it."""

    text: str
    aside: str = ""
    """An interval, which stands below its number where room is short."""
    under: str = ""
    scope: str = ""
    """Of a header cell: `row` or `rowgroup`; a data cell has none."""
    rows: int = 1
    is_number: bool = False


def page_html(report: RunReport) -> str:
    """Return a comparison as a whole page."""
    figures = [block for section in report.sections for block in section.blocks if not isinstance(block, ReportTable)]
    numbers = {id(figure): number for number, figure in enumerate(figures, 1)}
    sections = [(section, [_block(block, numbers) for block in section.blocks]) for section in report.sections]
    page = (
        environment("report")
        .get_template(TEMPLATE)
        .render(
            report=report,
            sections=sections,
            css=assets.stylesheet(),
            faces=assets.faces_css(),
            labels=[(key, LABELS[key]) for key in dict.fromkeys(key for _, key in report.labels)],
            words={key: LABELS[key].word for key in LABELS},
            terms=terms_in("\n".join(_texts(report))),
        )
    )
    return str(page)


def _block(block: ReportBlock, numbers: dict[int, int]) -> dict[str, object]:
    """What the template needs of a block: a table's groups of rows, or a drawing with its data as a table."""
    if isinstance(block, ReportTable):
        return {"table": block, "groups": page_groups(block)}
    number = numbers[id(block)]
    if isinstance(block, Drawing):
        told = {"svg": described(block.plot, number, block.title), "notes": (_INTERVALS,)}
        table = ReportTable(block.title, block.plot.header, block.plot.rows, block.proof, grouped=True)
    else:
        told = {"svg": figure_svg(block, number), "notes": (*block.notes, *_key(block))}
        table = data_table(block)
    return {"figure": table, "number": number, "groups": page_groups(table), "is_ratios": isinstance(block, RatioFigure), **told}


_INTERVALS = "Lines: 95 % intervals. Hollow, on hatched ground: saturated."


def _key(figure: RatioFigure) -> Iterator[str]:
    yield f"Grey line: a ratio of 1.{' Dashed tick: the bound of a rule.' if figure.bounds else ''}"
    if any(one.is_saturated for one in figure.ratios):
        yield "Hollow, on hatched ground: saturated."


def described(plot: Plot, number: int, title: str) -> str:
    """Return an article's chart with a short title and the data as its description."""
    return with_description(svg_of(plot, number), title, plot.alt)


def data_table(figure: RatioFigure) -> ReportTable:
    """Return what a figure shows as a table."""
    rows = tuple(
        (one.group, one.name, one.text, str(one.n), bound.text if (bound := figure.bound(one)) else "none") for one in figure.ratios
    )
    return ReportTable(figure.title, ("Metric", "Arm", "Ratio", "n", "Bound"), rows, figure.proof, numeric=frozenset((2, 3)), grouped=True)


def page_groups(table: ReportTable) -> list[list[list[PageCell]]]:
    """Return a table's rows in groups; a name that several rows share spans them, and the cell after it names the row."""
    numbered = list(enumerate(table.rows))
    if not table.grouped:
        return [[[PageCell(row[0], under=table.under[i] if table.under else "", scope="row"), *_cells(table, row)] for i, row in numbered]]
    groups = [[row for _, row in members] for _, members in groupby(numbered, key=lambda item: item[1][0])]
    return [[_headed(table, row, len(group) if place == 0 else 0) for place, row in enumerate(group)] for group in groups]


def _headed(table: ReportTable, row: tuple[str, ...], spans: int) -> list[PageCell]:
    """A row of a group; the first holds the name of them all."""
    head = [PageCell(row[0], scope="rowgroup", rows=spans)] if spans else []
    return [*head, *_cells(table, row)]


def _cells(table: ReportTable, row: tuple[str, ...]) -> Iterator[PageCell]:
    """The cells after the first."""
    for column, text in enumerate(row[1:], 1):
        is_number = column in table.numeric
        number, opening, rest = text.partition(" (")
        has_aside = is_number and bool(opening) and number[:1].isdigit()
        scope = "row" if table.grouped and column == 1 else ""
        yield PageCell(number if has_aside else text, f"({rest}" if has_aside else "", scope=scope, is_number=is_number)


def _texts(report: RunReport) -> Iterator[str]:
    for section in report.sections:
        for block in section.blocks:
            if isinstance(block, ReportTable):
                yield from (block.title, *block.header, *(cell for row in block.rows for cell in row), *block.notes, *block.under)
            else:
                yield block.plot.alt if isinstance(block, Drawing) else block.alt
