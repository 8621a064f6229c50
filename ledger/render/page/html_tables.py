"""Markdown tables as HTML: caption and foot inside, columns as wide as their text asks, intervals below their value where room is short."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from markdown_it.token import Token

from ledger.render.citing.citations import LABEL_ANCHOR
from ledger.render.citing.prose import parser
from ledger.render.page.columns import SIZES, Layout, layout
from ledger.render.tables.grid import FOOT

_CAPTION = re.compile(r"^(Table|Figure) \d+\.$")
_ASIDE = re.compile(r" (\((?:[^()]* to [^()]*|n = [^()]*)\))$")
"""What may stand below a number in its cell: an interval, or on how many samples it was withheld."""
_TOGETHER, _SIDE_BY_SIDE = 32.0, 48.0
"""Lines up to which a table is kept on one page: any table, and one whose columns are read against each other."""
_BADGE = re.compile(r'(<a [^>]*class="badge [^>]*>[^<]*?) · ([^<]*)</a>')
"""A badge whose label stays in its frame, with what follows the label beside it."""
_ROW_GAP = 0.55
"""Space around a row, in lines."""


@dataclass(frozen=True, slots=True)
class _TableCell:
    token: Token
    is_right: bool

    @property
    def text(self) -> str:
        """What it prints; a label is one long word, since it does not break, and what follows it stands outside its frame."""
        pieces, is_badge = [], False
        for child in self.token.children or ():
            if child.type in ("link_open", "link_close"):
                is_badge = child.type == "link_open" and str(child.attrGet("href")).startswith(LABEL_ANCHOR)
            elif child.type in ("text", "code_inline"):
                label, dot, rest = child.content.partition(" · ") if is_badge else (child.content, "", "")
                pieces.append(label.replace(" ", "\u00a0") + dot.replace(" · ", " ") + rest if is_badge else label)
        return "".join(pieces).strip()


def with_tables(tokens: list[Token]) -> list[Token]:
    """Return the tokens with every table as HTML.

    One that turns its page waits for the end of its section, so that text fills the page before it.
    """
    out: list[Token] = []
    turned: list[Token] = []
    cursor = 0
    while cursor < len(tokens):
        token = tokens[cursor]
        if token.type == "heading_open" and token.level == 0:
            out += turned
            turned = []
        if token.type != "table_open":
            out.append(token)
            cursor += 1
            continue
        end = next(i for i in range(cursor, len(tokens)) if tokens[i].type == "table_close")
        caption = _take_caption(out)
        foot, after = _foot(tokens, end + 1)
        table, size = _table(tokens[cursor : end + 1], caption, foot)
        (turned if size == SIZES[-1].name else out).append(Token("html_block", "", 0, content=table))
        cursor = after
    return out + turned


def _take_caption(out: list[Token]) -> str:
    """Remove the paragraph before a table, if it begins with the table's number, and return it as the caption."""
    if len(out) < 3 or out[-1].type != "paragraph_close" or not _begins(out[-2], "strong_open", _CAPTION.match):
        return ""
    inline = out[-2]
    del out[-3:]
    return f"<caption>{_render(inline)}</caption>"


def _foot(tokens: list[Token], start: int) -> tuple[str, int]:
    """A paragraph after a table that begins as a foot does, and where the rest begins."""
    if len(tokens) > start + 2 and tokens[start].type == "paragraph_open" and _begins(tokens[start + 1], "em_open", FOOT.__eq__):
        return f'<p class="foot">{_render(tokens[start + 1])}</p>', start + 3
    return "", start


def _begins(token: Token, kind: str, fits: Callable[[str], object]) -> bool:
    """Whether a paragraph begins with an emphasis of that kind and text."""
    children = [child for child in token.children or [] if child.type != "text" or child.content]
    return len(children) > 2 and children[0].type == kind and bool(fits(children[1].content))


def _render(token: Token) -> str:
    reader = parser()
    return str(reader.renderer.render([token], reader.options, {}))


def _table(tokens: list[Token], caption: str, foot: str) -> tuple[str, str]:
    """A table's HTML, and the name of its size."""
    rows = _rows(tokens)
    has_row_heads = not rows[0][0].text
    fitted, is_stacked, lines = _fit(rows)
    together = " short" if lines <= (_SIDE_BY_SIDE if has_row_heads else _TOGETHER) else ""
    head = _cells(rows[0], lambda _index: 'th scope="col"')
    body = [_cells(row, lambda index: 'th scope="row"' if has_row_heads and index == 0 else "td") for row in rows[1:]]
    columns = "".join(f'<col width="{width}%">' for width in fitted.widths)
    html = (
        f'<div class="table {fitted.size}{together}"><table class="{fitted.size}{" stacked" if is_stacked else ""}">{caption}'
        f"<colgroup>{columns}</colgroup><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(f'<tr>{line}</tr>' for line in body)}</tbody></table>{foot}</div>\n"
    )
    return html, fitted.size


def _rows(tokens: list[Token]) -> list[list[_TableCell]]:
    rows: list[list[_TableCell]] = []
    for before, token in pairwise(tokens):
        if before.type == "tr_open":
            rows.append([])
        if token.type == "inline":
            rows[-1].append(_TableCell(token, "right" in str(before.attrGet("style") or "")))
    return rows


def _fit(rows: list[list[_TableCell]]) -> tuple[Layout, bool, float]:
    """A table's layout, whether what stands beside numbers goes below them, and its height in lines."""
    texts = [[cell.text for cell in row] for row in rows]
    numeric = frozenset(index for index, cell in enumerate(rows[0]) if cell.is_right)
    fitted = layout(texts, numeric)
    stacked = [[_longer_line(text) if index in numeric else text for index, text in enumerate(row)] for row in texts]
    is_stacked = fitted.size != SIZES[0].name and stacked != texts
    if is_stacked:
        fitted = layout(stacked, numeric)
    return fitted, is_stacked, sum(_height(row, fitted, is_stacked=is_stacked) for row in texts)


def _longer_line(text: str) -> str:
    """The longer of the two lines of a cell whose interval stands below its value."""
    aside = _ASIDE.search(text)
    return max(text[: aside.start()], aside.group(1), key=len) if aside else text


def _height(row: list[str], fitted: Layout, *, is_stacked: bool) -> float:
    room = next(size.room for size in SIZES if size.name == fitted.size)
    lines = [ceil(1.1 * len(text) / max(1.0, width * room / 100 - 2)) for text, width in zip(row, fitted.widths, strict=True)]
    return max([1, *lines, 2 if is_stacked else 1]) + _ROW_GAP


def _cells(row: list[_TableCell], kind: Callable[[int], str]) -> str:
    cells = []
    for index, cell in enumerate(row):
        opening = kind(index)
        # A first column begins at the margin, as captions do, whatever it holds.
        is_number = cell.is_right and index > 0
        html = _BADGE.sub(r'\1</a> <span class="relation">\2</span>', _render(cell.token))
        content = _ASIDE.sub(r' <span class="aside">\1</span>', html) if is_number else html
        attribute = ' class="num"' if is_number else ""
        cells.append(f"<{opening}{attribute}>{content}</{opening.split()[0]}>")
    return "".join(cells)
