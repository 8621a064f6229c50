"""The text of what was captured: a page as a reader sees it, the pages of a PDF, plain formats as they are."""

import re
from collections.abc import Iterator
from io import StringIO
from xml.etree.ElementTree import Element

from ledger.store.sources.encoding import HTML, decode_page

PDF = "application/pdf"
_SILENT = frozenset(("script", "style", "template", "head"))
_BLOCKS = frozenset(
    (
        *("p", "div", "br", "hr", "pre", "section", "article", "main", "header", "footer", "nav", "aside", "form", "option"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "figure", "figcaption", "address", "details", "summary"),
        *("ul", "ol", "li", "dl", "dt", "dd", "table", "caption", "tr", "td", "th", "noscript", "text"),
    )
)
_SHOWN = {"img": ("alt",), "input": ("value", "placeholder"), "meter": ("value",), "progress": ("value",)}
_PLAIN = ("application/json", "application/xml", "application/toml", "application/yaml", "application/x-yaml")
_PRICE_IN_DATA = re.compile(
    r"""[\w-]{0,40}(?:price|amount|cost|rate|fee)[\w-]{0,40}\\{0,3}["']?\s{0,9}[:=]\s{0,9}\\{0,3}["']?[^\s"'<>,;}\\]{0,9}\d[\d.,]{0,20}""",
    re.IGNORECASE,
)


def text_of(content: bytes, media_type: str, charset: str | None = None) -> str | None:
    """Return the text that a reader sees; None where there is none or it cannot be read for sure."""
    return _text(content, media_type, charset, with_data=False)


def compared_text_of(content: bytes, media_type: str, charset: str | None = None) -> str | None:
    """Return what two captures are compared by: the text, and the prices that a page's scripts and attributes hold."""
    return _text(content, media_type, charset, with_data=True)


def _text(content: bytes, media_type: str, charset: str | None, *, with_data: bool) -> str | None:
    text = None
    if media_type == PDF or content.startswith(b"%PDF-"):
        from ledger.store.sources.pdf_text import pdf_text  # only a PDF needs its reader

        text = pdf_text(content)
    elif media_type in HTML:
        page = decode_page(content, media_type, charset)
        text = _html_text(page, with_data=with_data) if page is not None else None
    elif media_type.startswith("text/") or media_type in _PLAIN or media_type.endswith(("+json", "+xml")):
        text = decode_page(content, media_type, charset)
    return text if text and text.strip() and "\0" not in text else None


def _html_text(page: str, *, with_data: bool) -> str:
    from tinyhtml5 import parse  # only a page needs the parser

    root = parse(StringIO(page), namespace_html_elements=False)  # a short string would be taken for the name of a file
    seen = "".join(_pieces(root)).strip()
    prices = sorted({match[0] for match in _PRICE_IN_DATA.finditer(page)}) if with_data and seen else []
    return "\n".join((seen, *(price for price in prices if price not in seen)))


def _pieces(root: Element) -> Iterator[str]:
    """Yield the pieces of text in their order; a block's borders are breaks. Without recursion: pages nest as deep as they like."""
    waiting: list[Element | str] = [root]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
            continue
        tag: object = part.tag
        name = tag.rpartition("}")[2] if isinstance(tag, str) else ""  # a comment's tag is a function
        if not name or name in _SILENT or (name == "input" and part.get("type") == "hidden"):
            continue
        border = "\n" if name in _BLOCKS else ""
        waiting.append(border)
        for child in reversed(part):
            waiting += [child.tail or "", child]
        waiting += [part.text or "", *(f" {part.get(key)} " for key in _SHOWN.get(name, ()) if part.get(key)), border]
