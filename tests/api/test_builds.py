"""Articles become files, all or none of one article's."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.errors import FindingsError
from ledger.render.article import compose as composing

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

HEAD = '+++\ntitle = "Draft"\nside = "technical"\ntype = "technical"\nauthors = ["A"]\nas_of = 2025-06-01\nsummary = "S."\n+++\n'


@pytest.fixture
def works(ledger_folder: "LedgerFolder") -> "LedgerFolder":
    """A claim, and a draft that cites it."""
    ledger_folder.add_page()
    ledger_folder.add("claim", "drafts")
    ledger_folder.write("records/articles/draft.md", f"{HEAD}A sentence [@drafts].\n")
    return ledger_folder


def test_only_the_formats_asked_for_are_written(works: "LedgerFolder", tmp_path: Path) -> None:
    built = works.open().builds.build("draft", tmp_path / "out", formats=["html", "md"])
    assert [path.name for path in built.paths] == ["draft.md", "draft.html"]
    assert {path.name for path in (tmp_path / "out").rglob("*")} == {"draft.md", "draft.html"}
    assert "A sentence" in (tmp_path / "out" / "draft.md").read_text()


def test_a_draft_is_composed_once_a_build(works: "LedgerFolder", tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    composed = []
    compose = composing.compose

    def counting(*arguments: object, **options: object) -> object:
        composed.append(arguments)
        return compose(*arguments, **options)  # type: ignore[arg-type]  # whatever it is called with

    monkeypatch.setattr(composing, "compose", counting)
    works.open().builds.build("draft", tmp_path, formats=["md"])
    assert len(composed) == 1


def test_an_error_in_the_draft_or_in_a_cited_record_leaves_nothing(works: "LedgerFolder", tmp_path: Path) -> None:
    works.write("records/articles/faulty.md", f"{HEAD}A sentence [@gone].\n")
    with pytest.raises(FindingsError, match="faulty was not built"):
        works.open().builds.build("faulty", tmp_path / "out", formats=["md"])
    works.add("claim", "drafts", protocol="nowhere")
    with pytest.raises(FindingsError, match="draft was not built") as refused:
        works.open().builds.build("draft", tmp_path / "out", formats=["md"])
    assert [(problem.code, problem.path) for problem in refused.value.problems] == [("LEDG011", "records/claims/drafts.toml")]
    assert not (tmp_path / "out").exists()


def test_an_error_in_a_record_that_is_not_cited_hinders_nobody(works: "LedgerFolder", tmp_path: Path) -> None:
    works.add("claim", "other", protocol="nowhere")
    assert works.open().builds.build("draft", tmp_path, formats=["md"]).warnings == ()


def test_several_are_built_in_order_and_a_refused_one_is_raised_when_all_have_ended(works: "LedgerFolder", tmp_path: Path) -> None:
    works.write("records/articles/second.md", f"{HEAD}Another [@drafts].\n")
    builds = works.open().builds
    built = builds.build_all(["second", "draft"], tmp_path / "a", formats=["md"])
    assert [article.paths[0].name for article in built] == ["second.md", "draft.md"]
    works.write("records/articles/faulty.md", f"{HEAD}A sentence [@gone].\n")
    with pytest.raises(FindingsError, match="faulty was not built"):
        works.open().builds.build_all(["faulty", "draft"], tmp_path / "b", formats=["md"])
    assert (tmp_path / "b" / "draft.md").is_file()
