"""The meaning hash: sha256 over length-prefixed canonical values of the fields that carry meaning.

Key order, comments, notes and white space never change it. `VERSION` changes when the encoding does.
"""

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from hashlib import sha256
from typing import Any, Protocol

VERSION = "m1"


class HasMeaning(Protocol):
    """What can be hashed by what it means: every record."""

    def meaning(self) -> dict[str, Any]:
        """Return the fields that carry meaning, as plain values."""


def meaning_hash(record: HasMeaning) -> str:
    """Return `m1:` and 64 hex digits for a record's meaning."""
    return f"{VERSION}:{sha256(encode(record.meaning())).hexdigest()}"


def encode(value: object) -> bytes:
    """Return the canonical bytes of a plain value; a tag, a length and the content, so that nothing can run together."""
    tag, body = _tag_and_body(value)
    return tag + str(len(body)).encode() + b":" + body


def _tag_and_body(value: object) -> tuple[bytes, bytes]:
    match value:
        case None:
            tag, body = b"z", b""
        case bool():
            tag, body = b"b", b"1" if value else b"0"
        case str():
            tag, body = b"s", " ".join(value.split()).encode()
        case datetime():
            tag, body = b"t", value.isoformat().encode()
        case date():
            tag, body = b"d", value.isoformat().encode()
        case int() | float() | Decimal():
            tag, body = b"n", repr(value).encode()
        case Mapping():
            tag, body = b"m", b"".join(encode(key) + encode(value[key]) for key in sorted(value))
        case list() | tuple():
            tag, body = b"l", b"".join(encode(item) for item in value)
        case _:
            raise TypeError(f"no canonical form for {type(value).__name__}")
    return tag, body
