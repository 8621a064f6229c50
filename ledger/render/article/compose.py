"""Makes canonical Markdown of prose: prints values, numbers citations, replaces fenced blocks by what they ask for.

Figures and the source list stand in the body as marks (`MARK`) that no text can forge, since private-use characters
in texts are spelled out; Markdown and HTML each put their own form in the mark's place.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ledger.analysis.claims.resolve import Bindings
from ledger.model.catalogue import Catalogue
from ledger.model.records.article import Article
from ledger.model.values.text import visible
from ledger.render.citing import blocks
from ledger.render.citing.citations import Citing, UnprintableError, badge_link
from ledger.render.citing.evidence import Badge, CitedRecord, DocumentEvidence
from ledger.render.citing.prose import CitationGroup, Fence, Sentence, prose_of
from ledger.render.escape import escaped
from ledger.render.figures.plot import Plot, range_plot
from ledger.render.figures.run_plots import acceptance_plot, run_plot
from ledger.render.tables import claim_tables, price_tables, run_tables
from ledger.render.tables.grid import Grid

MARK = "\ue000{}\ue001"
MARKED = re.compile("\ue000([a-z0-9-]+)\ue001")
_AFTER = re.compile(r"[.,;:!?…]+[\"”’')*_]*")


@dataclass(frozen=True, slots=True)
class UnprintablePart:
    """What cannot be printed, and the offset of the prose at which it stands."""

    error: UnprintableError
    offset: int


@dataclass(frozen=True, slots=True)
class DrawnPlot:
    """A figure's place in the document."""

    number: int
    caption: str
    """Markdown, with marks and badges."""
    plot: Plot


@dataclass(slots=True)
class Composition:
    """An article's prose as Markdown, its figures, and what could not be printed."""

    citing: Citing
    body: str = ""
    figures: dict[str, DrawnPlot] = field(default_factory=dict)
    has_sources: bool = False
    unprintable: list[UnprintablePart] = field(default_factory=list)
    tables: int = 0


def compose(article: Article, catalogue: Catalogue, bindings: Bindings | None = None) -> Composition:
    """Return an article's prose as canonical Markdown, and every part of it that could not be printed."""
    return _Composer(article, catalogue, bindings).compose()


class _Composer:
    def __init__(self, article: Article, catalogue: Catalogue, bindings: Bindings | None) -> None:
        self.prose = prose_of(article.prose, article.prose_line)
        self.citing = Citing(DocumentEvidence(article, catalogue, bindings))
        self.out = Composition(self.citing)

    def compose(self) -> Composition:
        text, cursor, pieces = self.prose.text, 0, []
        parts: list[Sentence | Fence] = [*self.prose.sentences, *(f for f in self.prose.fences if not blocks.is_code(f))]
        for part in sorted(parts, key=lambda part: part.start):
            pieces.append(visible(text[cursor : part.start]))
            pieces.append(self._separate(part) if isinstance(part, Fence) else self._sentence(part))
            cursor = part.end
        pieces.append(visible(text[cursor:]))
        self.out.body = "".join(pieces).strip() + "\n"
        return self.out

    def _note(self, error: UnprintableError, offset: int) -> None:
        self.out.unprintable.append(UnprintablePart(error, offset))

    # Sentences

    def _sentence(self, sentence: Sentence) -> str:
        if not sentence.citations:
            return visible(self.prose.text[sentence.start : sentence.end])
        if sentence.kind == "alone":
            return self._alone(sentence, sentence.citations[0])
        groups = [(citation, self._cite(citation)) for citation in sentence.citations]
        shared = self._is_shared(groups)
        text = self._print(sentence, groups, shared)
        cited = [record for _, group in groups for record in group]
        ending = (self.citing.marks(cited) if shared else "", self.citing.badges(cited))
        return text + ending[0] + (f" {ending[1]}" if ending[1] else "")

    def _is_shared(self, groups: list[tuple[CitationGroup, list[CitedRecord]]]) -> bool:
        """Whether all citations of the sentence have the same origins, so that one mark at its end serves all."""
        return len({tuple(origin for record in group for origin, _ in record.origins) for _, group in groups}) == 1

    def _print(self, sentence: Sentence, groups: list[tuple[CitationGroup, list[CitedRecord]]], shared: bool) -> str:
        text, cursor, pieces = self.prose.text, sentence.start, []
        for citation, cited in groups:
            before = visible(text[cursor : citation.start])
            cursor = citation.end
            mark = "" if shared else self.citing.marks(cited)
            if citation.prints_value:
                pieces += [before, self._value(citation)]
            else:
                pieces.append(before.rstrip(" \n"))
            if mark and (after := _AFTER.match(text, cursor, sentence.end)):
                pieces.append(after.group())
                cursor = after.end()
            pieces.append(mark)
        return "".join(pieces) + visible(text[cursor : sentence.end])

    def _cite(self, citation: CitationGroup) -> list[CitedRecord]:
        if citation.fault:
            self._note(UnprintableError("LEDG100", f"{citation.fault}.", "Write [@id], [@id-a; @id-b] or [@id#name]."), citation.start)
            return []
        cited = []
        for reference in citation.references:
            try:
                cited.append(self.citing.cite(reference))
            except UnprintableError as error:
                self._note(error, citation.start)
        return cited

    def _value(self, citation: CitationGroup) -> str:
        reference = citation.references[0]
        try:
            return escaped(self.citing.value(reference, interval=citation.interval))
        except UnprintableError as error:
            if not self._is_noted(citation):
                self._note(error, citation.start)
            return escaped(f"[{reference}]")

    def _is_noted(self, citation: CitationGroup) -> bool:
        return any(part.offset == citation.start for part in self.out.unprintable)

    def _alone(self, sentence: Sentence, citation: CitationGroup) -> str:
        before = visible(self.prose.text[sentence.start : citation.start])
        cited = self._cite(citation)
        try:
            if not cited:
                return before + escaped(f"[{citation.references[0]}]")
            claim = self.citing.claim(citation.references[0])
            return f"{before}{self.citing.statement(claim)}{self.citing.marks(cited)} {self.citing.badges(cited)}"
        except UnprintableError as error:
            self._note(error, citation.start)
            return before + escaped(f"[{citation.references[0]}]")

    # Fenced blocks

    def _separate(self, fence: Fence) -> str:
        """A block with a blank line before and after, whatever stands around it."""
        text = self.prose.text
        before = "" if text[: fence.start].endswith("\n\n") or not fence.start else "\n"
        return before + self._fence(fence) + ("" if text[fence.end :].startswith("\n") else "\n")

    def _fence(self, fence: Fence) -> str:
        block, faults = blocks.read_block(fence)
        for fault in faults:
            self._note(UnprintableError(fault.code, fault.message, fault.remedy), fault.offset)
        if block is None:
            return f"{escaped(f'[{fence.name}]')}\n"
        try:
            return f"{self._block(block)}\n"
        except UnprintableError as error:
            about = self.prose.text.find(error.about, fence.body_start, fence.end) if error.about else fence.start
            self._note(error, max(about, fence.start))
            return f"{escaped(f'[{fence.name}]')}\n"

    def _block(self, block: blocks.Block) -> str:
        match block:
            case blocks.Sources():
                self.out.has_sources = True
                return MARK.format("sources")
            case blocks.Proposed():
                return claim_tables.proposed_list(block, self.citing)
            case blocks.RangeFigure():
                return self._range_figure(block)
            case blocks.RunFigure():
                return self._run_figure(block, run_plot(block, self.citing))
            case blocks.AcceptanceFigure():
                return self._run_figure(block, acceptance_plot(block, self.citing))
            case _:
                return self._table(block)

    def _table(self, block: blocks.GridBlock) -> str:
        grid = GRIDS[type(block)](block, self.citing)
        self.out.tables += 1
        caption = " ".join(part for part in (escaped(block.caption) + self._caption_badge(block), grid.note) if part)
        return f"**Table {self.out.tables}.** {caption}\n\n{grid.markdown}"

    def _caption_badge(self, block: blocks.GridBlock) -> str:
        """Number and badge of the run that a whole table shows, or the badge of prices, whose rows have their own numbers."""
        if isinstance(block, blocks.Prices):
            return f" {badge_link(Badge('price', 'price'))}"
        run = getattr(block, "run", None)
        cited = [self.citing.cite(f"run:{run}")] if run else []
        return self.citing.marks(cited) + (f" {self.citing.badges(cited)}" if cited else "")

    def _range_figure(self, block: blocks.RangeFigure) -> str:
        """A figure whose rows carry their source numbers, and whose caption has the badges."""
        plot = range_plot(block, self.citing)
        return self._figure(f"{escaped(block.caption)} {self.citing.badges(plot.cited)}", plot)

    def _run_figure(self, block: blocks.RunFigure | blocks.AcceptanceFigure, plot: Plot) -> str:
        cited = [self.citing.cite(f"run:{block.run}")]
        return self._figure(f"{escaped(block.caption)}{self.citing.marks(cited)} {self.citing.badges(cited)}", plot)

    def _figure(self, caption: str, plot: Plot) -> str:
        number = len(self.out.figures) + 1
        name = f"figure-{number}"
        notes = [
            *(["An arrow head marks an interval that goes on above the plot."] if plot.top else []),
            *(["Hatched: arrivals outran departures (saturated)."] if any(value.get("saturated") for value in plot.values) else []),
        ]
        self.out.figures[name] = DrawnPlot(number, " ".join([caption, *notes]), plot)
        return MARK.format(name)


Builder = Callable[..., Grid]
GRIDS: dict[type[blocks.GridBlock], Builder] = {
    blocks.ClaimsTable: claim_tables.claims_grid,
    blocks.Conflict: claim_tables.conflict_grid,
    blocks.Against: claim_tables.against_grid,
    blocks.CellsTable: run_tables.cells_grid,
    blocks.ComparisonTable: run_tables.comparisons_grid,
    blocks.RunTable: run_tables.run_grid,
    blocks.Prices: price_tables.prices_grid,
    blocks.UnitCost: price_tables.unit_cost_grid,
}
"""Which function makes the table of which block."""
