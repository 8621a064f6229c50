"""Unpacking in pieces, within a limit."""

import gzip

import pytest

from ledger.store.sources.inflate import Inflater


def test_byte_by_byte() -> None:
    inflater = Inflater(100)
    packed = gzip.compress(b"eight") + gzip.compress(b" bits")
    assert b"".join(inflater.feed(packed[i : i + 1]) for i in range(len(packed))) == b"eight bits"
    assert inflater.is_whole


def test_never_more_than_one_byte_past_the_limit() -> None:
    assert len(Inflater(10).feed(gzip.compress(bytes(10_000_000)))) == 11


def test_a_cut_is_not_whole_and_damage_is_named() -> None:
    cut = Inflater(100)
    assert cut.feed(gzip.compress(b"eight")[:-1]) == b"eight"
    assert not cut.is_whole
    with pytest.raises(ValueError, match="damaged"):
        Inflater(100).feed(b"plain")
