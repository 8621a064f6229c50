"""An article's front matter and an edition's outputs."""

from typing import Any

import pytest
from pydantic import ValidationError

from ledger.model.records.article import Article, Edition

ARTICLE: dict[str, Any] = {
    "id": "draft",
    "title": "T",
    "side": "technical",
    "type": "technical",
    "authors": ["A. Writer"],
    "as_of": "2025-05-01",
    "summary": "One sentence.",
    "prose": "Text.",
}
EDITION: dict[str, Any] = {
    "id": "draft-1",
    "article": "draft",
    "number": 1,
    "commit": "a" * 40,
    "as_of": "2025-05-01",
    "published_at": "2025-05-02T00:00:00Z",
    "toolchain": {"python": "3.11"},
    "outputs": {"draft.md": "0" * 64},
    "cited": [],
}


def test_a_draft_is_in_english_on_the_journals_template_unless_it_says_otherwise() -> None:
    article = Article.model_validate(ARTICLE)
    assert (article.language, article.template, article.prose_line) == ("en", "journal", 1)


@pytest.mark.parametrize("fields", [{"authors": []}, {"language": "english"}, {"language": "EN"}, {"type": "poem"}, {"as_of": "2025-05"}])
def test_front_matter_that_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Article.model_validate(ARTICLE | fields)


def test_the_place_of_the_prose_carries_no_meaning() -> None:
    assert Article.model_validate(ARTICLE | {"prose_line": 9}).meaning() == Article.model_validate(ARTICLE).meaning()


@pytest.mark.parametrize("fields", [{"number": 0}, {"commit": "abc"}, {"commit": "A" * 40}, {"outputs": {"draft.md": "no hash"}}])
def test_an_edition_that_is_refused(fields: dict[str, Any]) -> None:
    assert Edition.model_validate(EDITION).number == 1
    with pytest.raises(ValidationError):
        Edition.model_validate(EDITION | fields)
