"""The text that a reader sees, and what two captures are compared by."""

import pytest

from ledger.store.sources.page_text import compared_text_of, text_of


def test_scripts_are_no_text() -> None:
    page = b"<head><title>x</title></head><body><script>2.8</script><p>a</p><style>b</style><p>c &amp; d</p></body>"
    text = text_of(page, "text/html")
    assert text is not None
    assert text.split() == ["a", "c", "&", "d"]


@pytest.mark.parametrize(
    "page",
    [
        "<!doctype html><html><head><meta charset=utf-8><title>t</title><body><p>{} USD</p>",
        "<!doctype html><title>t</title><p>{} USD",
        "<body><svg viewBox='0 0 1 1'><path d='M0 0'><p>{} USD</p>",
        "<body><svg><text>{} USD</text></svg><p>a box</p>",
        "<body><p>a box</p><noscript>{} USD</noscript>",
        "<body><p>a box</p><img alt='{} USD'>",
        "<body><p>a box</p><input value='{} USD'>",
        "<body><p>a box</p><textarea>{} USD</textarea>",
        '<body><p>a box</p><script type=\'application/ld+json\'>{{"price": "{}"}}</script>',
        "<body><p>a box</p><script>var o={{unitPrice:{}}}</script>",
        "<body><p>a box</p><script>let s='{{\\\\\"amount\\\\\":{}}}'</script>",
        "<body><p>a box</p><meta itemprop=price data-price='{}'>",
        "<body><table><td>a box<td>{}</table>",
        "<body><p>a box</p><!-- > --><p>{}</p><script><!--<script></script>",
        "<body><p>a box</p><select><option>{} USD</select>",
        "<body><p>a box</p><details><summary>more</summary>{} USD</details>",
        "<body><p hidden>{}</p><p>a box</p>",
    ],
)
def test_a_changed_price_changes_what_is_compared(page: str) -> None:
    old, new = (compared_text_of(page.format(price).encode(), "text/html") for price in ("2.50", "9.90"))
    assert old is not None
    assert old != new


def test_markup_alone_changes_nothing() -> None:
    old, new = (f"<body><p class={name}>a <b>box</b></p><script>t={name!r}</script>".encode() for name in ("x1", "x2"))
    assert compared_text_of(old, "text/html") == compared_text_of(new, "text/html") == "a box"


def test_inline_pieces_join_and_cells_part() -> None:
    page = b"<p>1.<b>8</b><sup>x</sup> fas<wbr>ter</p><table><tr><td>A</td><td>2</td></tr></table>"
    assert (text_of(page, "text/html") or "").split() == ["1.8x", "faster", "A", "2"]


def test_a_page_without_text_has_none() -> None:
    assert text_of(b"<body><script>app()</script>", "text/html") is None
    assert text_of(b"\x00", "application/pdf") is None
    assert text_of("Köln".encode("cp1252"), "text/html") is None


def test_a_name_of_a_file_is_read_as_the_page_it_is() -> None:
    assert text_of(__file__.encode(), "text/html") == __file__


def test_deep_nesting_has_its_text() -> None:
    assert text_of(b"<div>" * 3000 + b"deep", "text/html") == "deep"
