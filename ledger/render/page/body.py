"""The body's HTML from canonical Markdown: citations as superscripts, badges by shape, tables that fit, dead foreign links."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from markdown_it.token import Token

from ledger.render.citing.citations import LABEL_ANCHOR, SOURCE_ANCHOR
from ledger.render.citing.prose import parser
from ledger.render.page.html_tables import with_tables
from ledger.render.page.margin_notes import with_notes

_TAGS = {
    "p", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "strong", "em", "code", "pre", "blockquote", "a", "sup", "span", "div", "br", "hr",
    "table", "caption", "colgroup", "col", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
_ATTRIBUTES: dict[str, set[str]] = {
    **{tag: {"class"} for tag in ("p", "div", "span", "sup", "table", "td")},
    **{f"h{level}": {"id"} for level in range(2, 7)},
    "a": {"href", "class"},
    "th": {"class", "scope"},
    "col": {"width"},
    "ol": {"start"},
}


def body_html(markdown: str, live: frozenset[str], notes: Mapping[int, str] = MappingProxyType({})) -> str:
    """Return the HTML of a body; only links inside the document and those in `live` stay links.

    `notes` says what stands in the margin where a source number first occurs.
    """
    reader = parser()
    tokens = reader.parse(markdown)
    _shift_headings(tokens)
    for token in tokens:
        if token.children:
            token.children = list(_inline(token.children, live))
    noted = with_notes(with_tables(tokens), notes)
    return _clean(str(reader.renderer.render(noted, reader.options, {})), live)


def inline_html(markdown: str, live: frozenset[str] = frozenset()) -> str:
    """Return the HTML of one line of Markdown, without a paragraph around it."""
    reader = parser()
    tokens = reader.parseInline(markdown)
    for token in tokens:
        token.children = list(_inline(token.children or [], live))
    return _clean(str(reader.renderer.render(tokens, reader.options, {})), live)


def _clean(html: str, live: frozenset[str]) -> str:
    import nh3  # only pages need it

    def allowed(tag: str, attribute: str, value: str) -> str | None:
        if (tag, attribute) == ("a", "href"):
            return value if value.startswith("#") or value in live else None
        return value

    return nh3.clean(html, tags=_TAGS, attributes=_ATTRIBUTES, attribute_filter=allowed, url_schemes={"http", "https"}, link_rel=None)


def _shift_headings(tokens: list[Token]) -> None:
    """The document's title is the only first-level heading; the prose's own begin at the second."""
    levels = [int(token.tag[1]) for token in tokens if token.type == "heading_open"]
    shift = max(0, 2 - min(levels, default=2))
    number = 0
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + shift)}"
        if token.type == "heading_open":
            number += 1
            token.attrSet("id", f"section-{number}")


# Inline


def _inline(children: list[Token], live: frozenset[str]) -> Iterator[Token]:
    open_links: list[Token | None] = []
    spans = 0
    for index, child in enumerate(children):
        following = children[index + 1] if index + 1 < len(children) else None
        match child.type:
            case "image":
                yield _text(child.content)
            case "link_open":
                open_links.append(_link(child, live))
                yield from _opening(open_links[-1], is_first=not _joins(children, index - 1))
            case "link_close":
                joins = _joins(children, index + 1)
                yield from _closing(open_links.pop(), child, is_last=not joins)
                if not joins:
                    yield from [_html("</span>")] * spans
                    spans = 0
            case "text" if _joins(children, index):
                yield child
            case "text":
                pieces = list(_words(child.content, following is not None and _is_cite(following)))
                spans += sum(piece.content == _NO_BREAK for piece in pieces)
                yield from pieces
            case _:
                yield child


def _joins(children: list[Token], index: int) -> bool:
    """Whether a comma stands there between two source numbers, which print as one group."""
    if not 0 < index < len(children) - 1 or children[index].content != ",":
        return False
    return children[index - 1].type == "link_close" and _is_cite(children[index + 1])


_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")
_POSSESSIVE = re.compile(r"(?<=s)'(?=\s)")
_QUOTED = re.compile(r"(?:^|[\s(])'\w")
_LAST_WORD = re.compile(r"\S+$")


_VALUE = re.compile(r"\d[\d.,\u202f]*\u00a0[^\s\u00a0]+/[^\s\u00a0]+")
_NO_BREAK = '<span class="nb">'


def _words(content: str, is_glued: bool) -> Iterator[Token]:
    """Text as it prints: a value keeps its unit, and a last word that a number follows opens a span that stays on one line."""
    content = _typographic(content)
    last = _LAST_WORD.search(content) if is_glued else None
    yield from _values(content[: last.start()] if last else content)
    if last:
        yield _html(_NO_BREAK)
        yield _text(last.group())


def _typographic(content: str) -> str:
    """Straight apostrophes inside words, and after a plural where nothing is quoted, become curved ones."""
    curved = _APOSTROPHE.sub("’", content)
    return curved if _QUOTED.search(curved) else _POSSESSIVE.sub("’", curved)


def _values(content: str) -> Iterator[Token]:
    cursor = 0
    for match in _VALUE.finditer(content):
        yield from (_text(content[cursor : match.start()]), _html('<span class="value">'), _text(match.group()), _html("</span>"))
        cursor = match.end()
    yield _text(content[cursor:])


def _is_cite(token: Token) -> bool:
    return token.type == "link_open" and str(token.attrGet("href")).startswith(SOURCE_ANCHOR)


def _link(token: Token, live: frozenset[str]) -> Token | None:
    href = str(token.attrGet("href") or "")
    if href.startswith(SOURCE_ANCHOR):
        token.attrSet("class", "cite")
    elif href.startswith(LABEL_ANCHOR):
        token.attrSet("class", f"badge {href.removeprefix('#')}")
    elif not href.startswith("#") and href not in live:
        return None
    return token


def _opening(token: Token | None, *, is_first: bool) -> Iterator[Token]:
    if token is not None:
        if token.attrGet("class") == "cite" and is_first:
            yield _html("<sup>")
        yield token


def _closing(opened: Token | None, token: Token, *, is_last: bool) -> Iterator[Token]:
    if opened is not None:
        yield token
        if opened.attrGet("class") == "cite" and is_last:
            yield _html("</sup>")


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _html(content: str) -> Token:
    return Token("html_inline", "", 0, content=content)
