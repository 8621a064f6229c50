"""The text that a reader sees."""

from typing import TYPE_CHECKING

from ledger.store.sources.page_text import text_of

if TYPE_CHECKING:
    pass


def test_scripts_are_no_text() -> None:
    page = b"<head><title>x</title></head><body><script>2.8</script><p>a</p><style>b</style><p>c &amp; d</p></body>"
    text = text_of(page, "text/html")
    assert text is not None
    assert text.split() == ["a", "c", "&", "d"]
    assert text_of(b"\x00", "application/pdf") is None
