"""A page's own encoding: each way of naming one, and names that are none."""

import pytest

from ledger.store.sources.encoding import decode_page

WORDS = "Köln – „1,8“"


@pytest.mark.parametrize(
    ("content", "media_type", "charset"),
    [
        (WORDS.encode(), "text/html", None),
        (b"\xef\xbb\xbf" + WORDS.encode(), "text/plain", "windows-1252"),
        (("\ufeff" + WORDS).encode("utf-16-le"), "text/html", "utf-8"),
        (("\ufeff" + WORDS).encode("utf-16-be"), "text/plain", None),
        (WORDS.encode("cp1252"), "text/html", "ISO-8859-1"),
        (WORDS.encode("cp1252"), "text/plain", "'windows-1252'"),
        (WORDS.encode(), "text/html", "undefined"),
        (WORDS.encode(), "text/html", "unicode_escape"),
        (WORDS.encode(), "text/html", "utf-7"),
    ],
)
def test_the_words_come_out(content: bytes, media_type: str, charset: str | None) -> None:
    assert decode_page(content, media_type, charset) == WORDS


@pytest.mark.parametrize(
    ("head", "codec", "media_type"),
    [
        ('<meta charset="windows-1252">', "cp1252", "text/html"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">', "cp1252", "text/html"),
        ('<meta charset="utf-16">', "utf-8", "text/html"),
        ('<?xml version="1.0" encoding="windows-1252"?>', "cp1252", "application/xml"),
        ('<?xml version="1.0" encoding="UTF-16"?>', "utf-16-be", "application/xml"),
    ],
)
def test_a_page_that_names_its_own(head: str, codec: str, media_type: str) -> None:
    assert decode_page((head + WORDS).encode(codec), media_type) == head + WORDS


def test_what_stays_unsure_is_none() -> None:
    assert decode_page(WORDS.encode("cp1252"), "text/html") is None
    assert decode_page(WORDS.encode("cp1252"), "text/html", "utf-8") is None
    assert decode_page(b"\xff\xfe\x00", "text/plain") is None
