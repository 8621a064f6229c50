"""Ids that begin with some letters: from files, faulty ones too, and from the index."""

from typing import TYPE_CHECKING

import pytest

from ledger.store.index import id_completion
from ledger.store.index.id_completion import ids_with_prefix

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


@pytest.fixture
def works(ledger_folder: "LedgerFolder") -> "LedgerFolder":
    """A source, claims in one file, a run in JSON, and a draft."""
    ledger_folder.add_page()
    ledger_folder.write("records/claims/two.toml", '[[claim]]\nid = "drafts-a"\nbroken = [\n[[claim]]\n id="drafts-b"\n')
    ledger_folder.write("records/runs/r.json", '{"run": [\n{\n"id": "drafts-run", "cells": [\n{"id": "drafts-cell"}]}]}\n')
    ledger_folder.write("records/articles/drafts-text.md", "no front matter\n")
    return ledger_folder


def ids(folder: "LedgerFolder", prefix: str, kind: str | None = None, limit: int = 200) -> list[str]:
    """The ids that complete a prefix."""
    return ids_with_prefix(folder.root, folder.open().settings, prefix, kind=kind, limit=limit)


def test_ids_come_in_order_from_files_of_every_form(works: "LedgerFolder") -> None:
    assert ids(works, "dra") == ["drafts-a", "drafts-b", "drafts-run", "drafts-text"]
    assert ids(works, "p") == ["page"]
    assert ids(works, "x") == []


def test_a_kind_and_a_limit_narrow_them(works: "LedgerFolder") -> None:
    assert ids(works, "", "claim") == ["drafts-a", "drafts-b"]
    assert ids(works, "", limit=2) == ["drafts-a", "drafts-b"]


def test_the_index_knows_ids_whatever_their_file_is_called(works: "LedgerFolder", monkeypatch: pytest.MonkeyPatch) -> None:
    works.write("records/claims/two.toml", "")
    works.add("claim", "drafts-c", file="records/claims/other-name.toml")
    monkeypatch.setattr(id_completion, "MOST_FILES_READ", 0)
    assert ids(works, "drafts-c") == []  # with so many files their names alone are looked at
    works.open().claims()
    assert ids(works, "drafts-c") == ["drafts-c"]
    assert ids(works, "drafts-c", "source") == []
