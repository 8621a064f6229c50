"""The source list: numbered once, with what was read, what became of it, and who else has checked it."""

from typing import Any

import pytest

from ledger.model.catalogue import Catalogue, Entry
from ledger.model.records.review import Review
from ledger.model.values.meaning import meaning_hash
from ledger.render.citing.citations import Citing
from ledger.render.citing.source_list import Reviews, SourceEntry
from tests.render.conftest import plain_claim, records


def entries(citing: Citing, *references: str) -> tuple[SourceEntry, ...]:
    for reference in references:
        citing.marks([citing.cite(reference)])
    return citing.register.entries()


def test_sources_runs_plans_and_proposals_have_entries(citing: Citing) -> None:
    shown = entries(citing, "paper-gains", "run:demo-run#load.c1", "idea", "blog-speedup")
    assert [(entry.number, entry.publisher, entry.title, entry.dated) for entry in shown] == [
        (1, "arXiv", "Speculative decoding in practice", "2025-03"),
        (2, "Evidence Ledger authors", "Run demo-run", "2026-11-28"),
        (3, "This ledger", "Proposals", ""),
        (4, "Vendor project", "Speculative decoding in practice", "2024-10-17"),
    ]
    assert shown[1].facts == ("protocol demo-plan", "planned beforehand", "complete", "finished 2026-11-28", "0 deviations")
    assert shown[2].review == "nothing observed"


def test_places_in_one_source_are_gathered(citing: Citing) -> None:
    citing.marks([citing.cite("blog-speedup"), citing.cite("old-page"), citing.cite("blog-speedup")])
    [entry] = citing.register.entries()
    assert entry.locators == ("second figure",)
    assert entry.notes == ("old-page: superseded 2026-02-12 by new-page",)


def test_the_register_knows_what_was_rested_on_and_which_labels_occur(citing: Citing) -> None:
    entries(citing, "paper-gains", "idea")
    assert list(citing.register.rests_on) == ["paper-gains", "paper", "idea"]
    assert list(citing.register.badges) == ["vendor-claimed", "proposed"]


def review(record_id: str, **fields: Any) -> Review:
    target = plain_claim("blog-a", "First.")
    base = {"id": record_id, "target": "blog-a", "target_meaning": meaning_hash(target), "reviewer": "B. Reader", "aspects": ["numbers"]}
    return Review.model_validate(base | {"reviewed_on": "2026-11-20", "verdict": "accepted"} | fields)


def reviews_of(*reviews: Review) -> Reviews:
    return Reviews(Catalogue(Entry(record, "x") for record in (*records(), *reviews)))


BOTH = [plain_claim("blog-a", "First."), plain_claim("blog-b", "Second.")]


@pytest.mark.parametrize(
    ("reviews", "words"),
    [
        ([], "ours; not independently checked"),
        ([review("r-1")], "ours; 1 of 2 statements checked, by B. Reader, 2026-11-20"),
        ([review("r-1", verdict="rejected")], "ours; 0 of 2 statements checked, 1 rejected, by B. Reader, 2026-11-20"),
        ([review("r-1", reviewer="A. Writer")], "ours; not independently checked"),
        ([review("r-1", target_meaning="m1:" + "0" * 64)], "ours; not independently checked"),
        (
            [review("r-1"), review("r-2", reviewed_on="2026-11-25", verdict="rejected", reviewer="C. Other")],
            "ours; 0 of 2 statements checked, 1 rejected, by C. Other, 2026-11-25",
        ),
    ],
)
def test_reviews_count_where_somebody_else_checked_the_present_meaning(reviews: list[Review], words: str) -> None:
    assert reviews_of(*reviews).in_words(list(BOTH), "ours") == words


def test_a_document_rests_on_the_latest_review_that_counts() -> None:
    shown = reviews_of(review("r-1"), review("r-2"), review("r-3", reviewer="A. Writer"))
    assert shown.ids_that_count(BOTH) == ["r-2"]
