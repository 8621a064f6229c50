"""Characters that no bundled font has are spelled out; all others stay."""

from pathlib import Path

import pytest

from ledger.render import assets
from ledger.render.page.glyphs import printable_characters, with_glyphs


def test_the_bundled_fonts_print_latin_greek_cyrillic_and_signs() -> None:
    assert set("aÉßωЖ≥→–“”µ") <= printable_characters()
    assert not set("置信") & printable_characters()


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("plain", "plain"),
        ("Ω stays", "Ω stays"),
        ("the title 置信 is", "the title [U+7F6E 4FE1] is"),
        ("置a信", "[U+7F6E]a[U+4FE1]"),
        ("ω置", "ω[U+7F6E]"),
    ],
)
def test_runs_without_a_glyph_are_spelled_out(text: str, printed: str) -> None:
    assert with_glyphs(text) == printed


def test_no_font_of_the_machine_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "fonts", lambda: tmp_path)
    assert printable_characters.__wrapped__() == frozenset()
