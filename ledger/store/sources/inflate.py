"""Packed content unpacked piece by piece, never further than a limit: a small body must not fill the memory."""

import zlib
from typing import ClassVar

_ANY_HEADER = 32 + zlib.MAX_WBITS  # gzip and zlib tell themselves apart by their first bytes


class Inflater:
    """Unpacks gzip and deflate; several gzip members in a row are one content."""

    CODINGS: ClassVar = ("gzip", "x-gzip", "deflate")

    def __init__(self, largest: int) -> None:
        """Unpack up to one byte more than `largest`, so that the caller sees that there is more."""
        self._left = largest + 1
        self._member = zlib.decompressobj(_ANY_HEADER)

    @property
    def is_whole(self) -> bool:
        """Whether the content ended where its format says."""
        return self._member.eof

    def feed(self, packed: bytes) -> bytes:
        """Return what a piece unpacks to.

        Raises:
            ValueError: it is not packed as named.
        """
        unpacked = bytearray()
        while packed and self._left > 0:
            if self._member.eof:
                self._member = zlib.decompressobj(_ANY_HEADER)
            try:
                piece = self._member.decompress(packed, self._left)
            except zlib.error as error:
                raise ValueError(f"its packed content is damaged ({error})") from error
            unpacked += piece
            self._left -= len(piece)
            packed = self._member.unused_data or self._member.unconsumed_tail
        return bytes(unpacked)
