"""What the guard says of versions of records: changed meanings, shortened lists, records that vanished."""

from typing import Any

import pytest

from ledger.analysis.validity.landed_guard import Version, check_history, shortened_list
from ledger.model.record import Record
from ledger.model.records.article import Article
from ledger.model.records.claim import Claim
from ledger.model.records.source import Source
from ledger.model.values.meaning import meaning_hash
from tests.record_fixtures import make

NAMES = ["nothing", "the first commit", "the second commit", "the third commit", "the work tree"]
SAID = make(Claim, "said")
OTHER = make(Claim, "said", statement="It says otherwise.")
NOTED = make(Claim, "said", note="Seen again.")


def page(*days: str, **fields: Any) -> Source:
    return make(Source, "page", captures=[{"retrieved_at": day} for day in days], **fields)


def version(record: Record, since: int, until: int | None = None, path: str = "records/a.toml") -> Version:
    return Version(record, meaning_hash(record), path, since, until)


def codes(*versions: Version) -> list[str]:
    return [problem.code for problem in check_history(versions, NAMES)]


@pytest.mark.parametrize(
    "versions",
    [
        [version(SAID, 1)],
        [version(SAID, 1, 2), version(NOTED, 2)],
        [version(SAID, 1, 2), version(SAID, 2, path="records/moved.toml")],
        [version(page("2025-01-05"), 1, 2), version(page("2025-01-05", "2025-02-05"), 2)],
        [version(page("2025-01-05", "2025-02-05"), 1, 2), version(page("2025-02-05", "2025-01-05"), 2)],
    ],
    ids=["untouched", "a note", "a move", "a capture more", "captures in another order"],
)
def test_what_keeps_its_meaning_is_no_finding(versions: list[Version]) -> None:
    assert codes(*versions) == []


def test_a_changed_meaning_names_the_commit_and_the_new_place() -> None:
    [problem] = check_history([version(SAID, 1, 2), version(OTHER, 2, path="records/b.toml")], NAMES)
    assert (problem.code, problem.path) == ("LEDG090", "records/b.toml")
    assert problem.message == "said: its meaning changed in the second commit."
    assert problem.remedy == "Restore it, and add a record that supersedes it."


def test_a_change_that_was_taken_back_stays_a_finding_for_each_turn() -> None:
    turns = [version(SAID, 1, 2), version(OTHER, 2, 3), version(SAID, 3)]
    assert [problem.message for problem in check_history(turns, NAMES)] == [
        "said: its meaning changed in the second commit.",
        "said: its meaning changed in the third commit.",
    ]


def test_a_second_record_under_an_id_in_use_is_a_changed_meaning() -> None:
    assert codes(version(SAID, 1), version(OTHER, 3, path="records/b.toml")) == ["LEDG090"]


def test_an_id_that_comes_back_with_another_meaning_has_vanished_in_between() -> None:
    assert codes(version(SAID, 1, 2), version(OTHER, 3)) == ["LEDG092"]


def test_what_vanished_is_told_at_the_place_where_it_was() -> None:
    [problem] = check_history([version(SAID, 1, 4)], NAMES)
    assert (problem.code, problem.path, problem.message) == ("LEDG092", "records/a.toml", "said: vanished in the work tree.")


def test_a_list_that_may_only_grow_has_lost_an_element() -> None:
    [problem] = check_history([version(page("2025-01-05", "2025-02-05"), 1, 2), version(page("2025-02-05"), 2)], NAMES)
    assert (problem.code, problem.message) == ("LEDG091", "page: captures lost an element in the second commit.")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [(("2025-01-05",), (), "captures"), ((), ("2025-01-05",), None), (("2025-01-05",), ("2025-01-06",), "captures"), ((), (), None)],
)
def test_which_list_was_shortened(before: tuple[str, ...], after: tuple[str, ...], expected: str | None) -> None:
    assert shortened_list(page(*before), page(*after)) == expected


def test_a_draft_may_change_and_vanish() -> None:
    front = {
        "id": "draft",
        "title": "T",
        "side": "technical",
        "type": "technical",
        "authors": ["A"],
        "as_of": "2025-06-01",
        "summary": "S.",
    }
    drafts = [Article.model_validate({**front, "prose": prose}) for prose in ("One.", "Two.")]
    assert codes(version(drafts[0], 1, 2), version(drafts[1], 2, 3)) == []
