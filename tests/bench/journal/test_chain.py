"""A line's link is the hash of the link before it and of the line."""

from hashlib import sha256

from ledger.bench.journal.chain import START, add_link, link, split_link


def test_a_link_is_the_first_half_of_the_hash_of_both() -> None:
    assert link(b'{"a":1}', START) == sha256(b'{"a":1}').hexdigest()[:32]
    assert link(b'{"a":1}', "00ff") == sha256(b'00ff{"a":1}').hexdigest()[:32]


def test_a_link_is_the_lines_last_field_and_comes_off_again() -> None:
    line, own = add_link(b'{"a":"\xc3\xbc"}', START)
    assert line == b'{"a":"\xc3\xbc","chain":"' + own.encode() + b'"}'
    assert split_link(line) == (b'{"a":"\xc3\xbc"}', own)


def test_only_a_link_at_the_end_is_one() -> None:
    for line in (b'{"a":1}', b'{"chain":"%s","a":1}' % (b"0" * 32), b'{"a":1,"chain":"%s"}' % (b"0" * 31), b'{"a":1,"chain":null}'):
        assert split_link(line) == (line, None)
