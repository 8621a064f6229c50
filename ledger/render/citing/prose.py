"""The prose of a draft as fenced blocks, sentences and citations, each with its offsets in the source.

Block structure comes from markdown-it; inside a block, text is scanned in place, so that every finding has a line and a column.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

_CITATION = re.compile(r"(?<!\\)\[@([^\[\]]*)\](\{[a-z-]*\})?")
_ITEM = re.compile(r"^@?(?:run:@?[a-z0-9-]+#[^\s\[\];@]+|[a-z0-9-]+(?:#[a-z0-9][a-z0-9._-]*)?)$")
_ALONE = re.compile(r"^\[@[a-z0-9-]+\]\.?$")
_HIDDEN = re.compile(
    r"(?P<code>(?<!`)(`+)(?!`).+?(?<!`)\2(?!`))|(?<=\])\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)"
    r"|<[a-z][a-z0-9+.-]*:[^<>\s]*>|https?://[^\s<>)\]]+|<!--.*?-->",
    re.DOTALL | re.IGNORECASE,
)
_STOP = re.compile(r"[.!?…]+[\"”’')*_]*(?:\s*\[@[^\[\]#;]*(?:;[^\[\]#]*)*\](?=[\s]|$))?(?=\s|$)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|cf|vs|v|al|fig|figs|eq|no|nos|sec|ca|approx|resp|etc|dr|st)|\b[A-Z]|^\W*\d+)\.$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class CitationGroup:
    """One bracket group: half-open offsets, the references in it without `@`, and what is wrong with it."""

    start: int
    end: int
    references: tuple[str, ...]
    interval: bool = False
    fault: str | None = None

    @property
    def prints_value(self) -> bool:
        """Whether it prints a number instead of only citing."""
        return len(self.references) == 1 and "#" in self.references[0]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, table cell or heading by its offsets; `block` numbers the paragraph it stands in."""

    start: int
    end: int
    citations: tuple[CitationGroup, ...]
    block: int
    kind: str
    """`text`, `cell`, `heading`, or `alone` for a citation that prints its claim's statement."""


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block: its name, its body, the offsets of the whole, and where the body starts."""

    name: str
    body: str
    start: int
    end: int
    body_start: int


@cache
def parser() -> MarkdownIt:
    """Return the Markdown reader: CommonMark with tables, without HTML and without bare links."""
    return MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")


class Prose:
    """A draft's prose: its sentences, fenced blocks and links, each with its offsets in the text.

    `first_line` is the line of the file at which the text begins.
    """

    def __init__(self, text: str, first_line: int = 1) -> None:
        self.text = text.replace("\r\n", "\n")
        self.first_line = first_line
        self._starts = [0, *(match.end() for match in re.finditer("\n", self.text))]
        self._tokens = parser().parse(self.text)

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column in the file, both from 1."""
        line = bisect_right(self._starts, offset) - 1
        return self.first_line + line, offset - self._starts[line] + 1

    @cached_property
    def masked(self) -> str:
        """The text with code, link targets, addresses, citations and fenced blocks blanked, offsets kept."""
        text = self._visible
        return _CITATION.sub(lambda match: " " * len(match.group()), text)

    @cached_property
    def _visible(self) -> str:
        text = self.text
        for start, end in self._verbatim:
            text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
        return _HIDDEN.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)

    @cached_property
    def _verbatim(self) -> list[tuple[int, int]]:
        return [self._span(token) for token in self._tokens if token.type in ("fence", "code_block")]

    def _span(self, token: Token) -> tuple[int, int]:
        first, last = token.map or (0, 0)
        return self._starts[first], self._starts[last] if last < len(self._starts) else len(self.text)

    @cached_property
    def fences(self) -> tuple[Fence, ...]:
        """Every fenced block that has a name, in order."""
        return tuple(self._fence(token) for token in self._tokens if token.type == "fence" and token.info.strip())

    def _fence(self, token: Token) -> Fence:
        start, end = self._span(token)
        body_start = self.text.find("\n", start) + 1
        return Fence(token.info.split()[0], token.content, start, end, body_start or end)

    @cached_property
    def links(self) -> tuple[tuple[int, str, bool], ...]:
        """Offset of the block, target and whether it is an image, of every Markdown link."""
        return tuple(self._links())

    def _links(self) -> Iterator[tuple[int, str, bool]]:
        for token in self._tokens:
            for child in token.children or ():
                if child.type in ("link_open", "image"):
                    target = str(child.attrGet("src" if child.type == "image" else "href") or "")
                    start, end = self._span(token)
                    offset = self.text.find(target, start, end)
                    yield max(start, offset), target, child.type == "image"

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Every sentence, heading and table cell, in order."""
        return tuple(self._sentences())

    def _sentences(self) -> Iterator[Sentence]:
        done = set()
        for number, (token, parent) in enumerate(self._inline_tokens()):
            span = self._span(token)
            if span in done:
                continue
            done.add(span)
            if parent == "paragraph_open" and _ALONE.match(token.content.strip()):
                start, end = self._trim(*span)
                yield self._sentence(start, end, number, kind="alone")
                continue
            kind = {"heading_open": "heading", "th_open": "cell", "td_open": "cell"}.get(parent, "text")
            for start, end in self._split(*span, kind):
                yield self._sentence(start, end, number, kind=kind)

    def _inline_tokens(self) -> Iterator[tuple[Token, str]]:
        """Yield every piece of text, and the type of the token that opened it."""
        for before, token in pairwise(self._tokens):
            if token.type == "inline" and token.map:
                yield token, before.type

    def _split(self, start: int, end: int, kind: str) -> Iterator[tuple[int, int]]:
        text = self._visible[start:end]
        if kind == "cell":
            stops = [match.start() for match in re.finditer(r"(?<!\\)\|", text)] + [len(text)]
        elif kind == "heading":
            stops = [len(text)]
        else:
            stops = [m.end() for m in _STOP.finditer(text) if not _ABBREVIATION.search(text[max(0, m.start() - 12) : m.start() + 1])]
            stops.append(len(text))
        before = 0
        for stop in stops:
            first, last = self._trim(start + before, start + stop)
            if first < last:
                yield first, last
            before = stop + (kind == "cell")

    def _trim(self, start: int, end: int) -> tuple[int, int]:
        piece = self.text[start:end]
        return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())

    def _sentence(self, start: int, end: int, block: int, *, kind: str) -> Sentence:
        matches = _CITATION.finditer(self._visible, start, end)
        return Sentence(start, end, tuple(_citation_group(match) for match in matches), block, kind)


@lru_cache(maxsize=4)
def prose_of(text: str, first_line: int) -> Prose:
    """Return the prose of a draft; lint and build share one, since reading Markdown takes time."""
    return Prose(text, first_line)


def _citation_group(match: re.Match[str]) -> CitationGroup:
    items = [item.strip() for item in ("@" + match.group(1)).split(";")]
    fault = next((fault for item in items if (fault := _item_fault(item))), None)
    suffix = match.group(2)
    if suffix and suffix != "{interval}":
        fault = f'got the suffix "{suffix}", expected {{interval}}'
    references = tuple(item.removeprefix("@") for item in items)
    if len(references) > 1 and any("#" in reference for reference in references):
        fault = "a value stands alone in its brackets; got it in a list"
    return CitationGroup(match.start(), match.end(), references, suffix == "{interval}", fault)


def _item_fault(item: str) -> str | None:
    if not item.startswith("@"):
        return f'got "{item}", expected @ before the id'
    return None if _ITEM.match(item) else f'got "{item}", expected @id, @id#name or @run:ID#ARM/LOAD/METRIC.STAT'
