"""The encoding of a page, found as a browser finds it: byte order mark, header, XML declaration, `meta`, and last UTF-8.

Only the names of the WHATWG's list count (`webencodings` holds it): a codec of Python is never run because a page names it.
"""

import re

import webencodings
from tinyhtml5.inputstream import EncodingParser

HTML = ("text/html", "application/xhtml+xml")
_XML = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._:-]{1,40})[\"']")
_UNMARKED_UTF16 = {b"<\x00?\x00": "utf-16le", b"\x00<\x00?": "utf-16be"}
_META_BYTES = 1024  # as far as the HTML standard looks for `meta`


def decode_page(content: bytes, media_type: str, charset: str | None = None) -> str | None:
    """Return a page's characters; None where its encoding stays unsure: what it names does not read it, or it names none and is not UTF-8.

    Args:
        content: The bytes.
        media_type: What they are.
        charset: The encoding that the answer's header names.
    """
    for mark, name in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be")):
        if content.startswith(mark):
            return _decode(content[len(mark) :], webencodings.lookup(name))
    return _decode(content, _named(charset) or _declared(content, media_type) or webencodings.UTF8)


def _decode(content: bytes, encoding: webencodings.Encoding) -> str | None:
    try:
        return str(encoding.codec_info.decode(content, "strict")[0])
    except UnicodeError:
        return None


def _named(label: str | None) -> webencodings.Encoding | None:
    return webencodings.lookup(label.strip("\"' ")) if label else None


def _declared(content: bytes, media_type: str) -> webencodings.Encoding | None:
    """Return the encoding that the bytes themselves name."""
    if (name := _UNMARKED_UTF16.get(content[:4])) is not None:
        return webencodings.lookup(name)
    if (declaration := _XML.match(content.lstrip())) is not None:
        return _readable_here(webencodings.lookup(declaration[1].decode("ascii")))
    if media_type in HTML:
        return _readable_here(EncodingParser(content[:_META_BYTES]).get_encoding())
    return None


def _readable_here(encoding: webencodings.Encoding | None) -> webencodings.Encoding | None:
    """Return UTF-8 for a UTF-16 that a page names in single-byte letters, as the HTML standard says."""
    return webencodings.UTF8 if encoding is not None and encoding.name.startswith("utf-16") else encoding
