"""The chain of a journal: each line ends with a hash of itself and of the line before it. Pure.

A line that was changed, moved, taken out or put in breaks the chain at its place. The chain holds no secret: whoever
writes it anew from the first line on can say what they like, so it shows accidents and edits, not a forged whole.
"""

import re
from hashlib import sha256

START = ""
"""What the first line follows from."""
LINK_DIGITS = 32
_LINK = re.compile(rb',"chain":"([0-9a-f]{%d})"\}$' % LINK_DIGITS)


def link(body: bytes, previous: str) -> str:
    """Return the link of a line: 128 bits of the hash of the previous link and the line.

    Args:
        body: The line as one JSON object, without link and line end.
        previous: The link of the line before; `START` for the first.
    """
    return sha256(previous.encode() + body).hexdigest()[:LINK_DIGITS]


def add_link(body: bytes, previous: str) -> tuple[bytes, str]:
    """Return a line with its link as the last field, and the link."""
    own = link(body, previous)
    return body[:-1] + b',"chain":"' + own.encode() + b'"}', own


def split_link(line: bytes) -> tuple[bytes, str | None]:
    """Return a line without its link, and the link; None where it ends with none."""
    match = _LINK.search(line)
    if match is None:
        return line, None
    return line[: match.start()] + b"}", match[1].decode()
