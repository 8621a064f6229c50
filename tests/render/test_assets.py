"""The templates folder: what lies where, and the one hash over what shapes an article's page."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from ledger.render import assets


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A templates folder of three short files, in place of the real one."""
    for name, text in (("articles/a.html.j2", "page"), ("articles/journal.css", "p {}"), ("fonts.conf", "<x/>")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "fonts").mkdir()
    monkeypatch.setattr(assets, "templates", lambda: tmp_path)
    assets.templates_hash.cache_clear()
    yield tmp_path
    assets.templates_hash.cache_clear()


def test_the_hash_is_over_names_lengths_and_contents(folder: Path) -> None:
    assert assets.templates_hash() == sha256(b"a.html.j2:4:pagefonts.conf:4:<x/>journal.css:4:p {}").hexdigest()


@pytest.mark.parametrize("name", ["articles/a.html.j2", "articles/journal.css", "fonts.conf", "fonts/New.ttf"])
def test_every_file_that_shapes_a_page_changes_the_hash(folder: Path, name: str) -> None:
    before = assets.templates_hash()
    (folder / name).write_text("other")
    assets.templates_hash.cache_clear()
    assert assets.templates_hash() != before


@pytest.mark.parametrize("name", ["report/comparison.html.j2", "fonts/README.md", "fonts/Web.woff2"])
def test_other_files_do_not_change_the_hash(folder: Path, name: str) -> None:
    before = assets.templates_hash()
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("other")
    assets.templates_hash.cache_clear()
    assert assets.templates_hash() == before


def test_every_face_has_a_font_for_pdf_and_one_for_html() -> None:
    for _family, stem, _weight, _style in assets.FACES:
        assert (assets.fonts() / f"{stem}.ttf").is_file()
        assert (assets.fonts() / f"{stem}.woff2").is_file()


def test_the_faces_carry_their_fonts_inside() -> None:
    rules = assets.faces_css().splitlines()
    assert len(rules) == len(assets.FACES)
    assert rules[2].startswith('@font-face { font-family: "Ledger Serif"; font-weight: 600; font-style: normal; src: url("data:font/woff2;')


def test_the_stylesheet_names_the_bundled_families() -> None:
    for family in {family for family, *_ in assets.FACES}:
        assert f'"{family}"' in assets.stylesheet()
