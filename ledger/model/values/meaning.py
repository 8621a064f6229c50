"""The meaning hash: sha256 over length-prefixed canonical values of the fields that carry meaning.

Key order, comments, notes and white space never change it. `VERSION` changes when the encoding does.
"""

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from hashlib import sha256

from ledger.model.record import Record

VERSION = "m1"


def meaning_hash(record: Record) -> str:
    """Return `m1:` and 64 hex digits for a record's meaning."""
    return f"{VERSION}:{sha256(encode(record.meaning())).hexdigest()}"


def encode(value: object) -> bytes:
    """Return the canonical bytes of a plain value; a tag, a length and the content, so that nothing can run together."""
    tag, body = _tagged(value)
    return tag + str(len(body)).encode() + b":" + body


def _tagged(value: object) -> tuple[bytes, bytes]:
    match value:
        case None:
            return b"z", b""
        case bool():
            return b"b", b"1" if value else b"0"
        case str():
            return b"s", " ".join(value.split()).encode()
        case datetime():
            return b"t", value.isoformat().encode()
        case date():
            return b"d", value.isoformat().encode()
        case int() | float() | Decimal():
            return b"n", repr(value).encode()
        case Mapping():
            return b"m", b"".join(encode(key) + encode(value[key]) for key in sorted(value))
        case list() | tuple():
            return b"l", b"".join(encode(item) for item in value)
    raise TypeError(f"no canonical form for {type(value).__name__}")
