"""The text of what was captured: HTML without its markup, plain formats as they are; None where there is no way to tell."""

from html.parser import HTMLParser

_SILENT = frozenset(("script", "style", "template", "noscript", "svg", "head"))
_BLOCKS = frozenset(
    (
        *("p", "div", "br", "pre", "section", "article", "h1", "h2", "h3", "h4", "h5", "h6"),
        *("ul", "ol", "li", "dl", "dt", "dd", "table", "tr", "td", "th"),
    )
)
_PLAIN = ("application/json", "application/xml", "application/toml", "application/yaml", "application/x-yaml")


def text_of(content: bytes, media_type: str, charset: str | None = None) -> str | None:
    """Return the text that a reader sees; None for formats that hold none we can read, such as PDF."""
    if media_type in ("text/html", "application/xhtml+xml"):
        reader = _Reader()
        reader.feed(_decode(content, charset))
        reader.close()
        return "".join(reader.pieces).strip()
    if media_type.startswith("text/") or media_type in _PLAIN or media_type.endswith(("+json", "+xml")):
        return _decode(content, charset)
    return None


def _decode(content: bytes, charset: str | None) -> str:
    try:
        return content.decode(charset or "utf-8-sig")
    except (LookupError, UnicodeDecodeError):
        return content.decode("utf-8", errors="replace")


class _Reader(HTMLParser):
    """Collects text outside scripts and styles; a block's end is a break."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002  # the parser's signature
        self._silent += tag in _SILENT
        if tag in _BLOCKS:
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._silent = max(0, self._silent - (tag in _SILENT))
        if tag in _BLOCKS:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.pieces.append(data)
