"""When a record holds: half-open intervals, closed by changes, voided by corrections and retractions."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.analysis.validity.validity import is_current, status, validity
from ledger.model.catalogue import Catalogue
from ledger.model.records.claim import Claim
from ledger.model.records.cost import Cost
from ledger.model.records.retraction import Retraction
from ledger.model.records.source import Source
from tests.record_fixtures import catalogue_of, make
from tests.record_fixtures import supersedes as supersedes_link

FIRST = date(2025, 1, 1)
DAYS = [FIRST + timedelta(days=number) for number in range(60)]
CLAIM = {"label": "proposed", "side": "technical", "subject": "demo", "statement": "It holds."}


def claim(name: str, starts: date | None = FIRST, /, supersedes: str = "", because: str = "change", **fields: Any) -> Claim:
    """Return a claim asserted on a day."""
    link = supersedes_link(supersedes, because) if supersedes else None
    return Claim.model_validate({"id": name, "asserted_on": starts, "supersedes": link, **CLAIM, **fields})


def cost(name: str, /, **fields: Any) -> Cost:
    """Return a price of which nothing says when it began and how long it holds, but that it was seen on the first day."""
    return make(Cost, name, **{"effective_from": "unknown", "effective_to": "unknown", "observed_on": "2025-01-01", **fields})


def current(among: Catalogue, day: date) -> list[str]:
    """Return the ids that hold on a day."""
    return [entry.record.id for entry in among if is_current(among, entry.record, day)]


@st.composite
def lines(draw: st.DrawFn) -> list[Claim]:
    """A line of supersession: survivors in order of their start, each after any number of versions that it corrects."""
    starts = sorted(draw(st.lists(st.sampled_from(DAYS[:50]), min_size=1, max_size=5)))
    line: list[Claim] = []
    for start in starts:
        mistaken = draw(st.lists(st.sampled_from(DAYS[:50]), max_size=2))
        for number, day in enumerate([*mistaken, start]):
            before = line[-1].id if line else ""
            line.append(claim(f"c{len(line)}", day, before, "correction" if number else "change"))
    return line


@settings(deadline=None)
@given(lines(), st.randoms())
def test_exactly_one_of_a_line_holds_on_each_day_once_it_began(line: list[Claim], shuffler: Any) -> None:
    records = list(line)
    shuffler.shuffle(records)
    among = catalogue_of(*records)
    corrected = {record.supersedes.id for record in line if record.supersedes and record.supersedes.because == "correction"}
    survivors = [record for record in line if record.id not in corrected]
    began = min(record.valid_from for record in survivors if record.valid_from)
    for day in DAYS:
        held = current(among, day)
        assert len(held) == (day >= began)
        assert not corrected & set(held)
        latest = [record.id for record in survivors if record.valid_from and record.valid_from <= day]
        assert held == latest[-1:]


@pytest.mark.parametrize(
    ("day", "expected"), [(DAYS[9], "not yet"), (DAYS[10], "current"), (DAYS[19], "current"), (DAYS[20], "superseded")]
)
def test_an_interval_is_half_open(day: date, expected: str) -> None:
    old, new = claim("old", DAYS[10]), claim("new", DAYS[20], "old")
    assert status(catalogue_of(old, new), old, day) == expected


def test_a_correction_replaces_the_whole_interval_and_says_why() -> None:
    old, new = claim("old", DAYS[10]), claim("new", DAYS[20], "old", "correction")
    among = catalogue_of(old, new)
    assert {status(among, old, day) for day in DAYS} == {"superseded"}
    assert validity(among, old).because == "correction: It moved."
    assert validity(among, old).by == "new"


def test_a_corrected_change_closes_its_predecessor_where_the_correction_says() -> None:
    old, wrong = claim("old", DAYS[0]), claim("wrong", DAYS[10], "old")
    among = catalogue_of(old, wrong, claim("right", DAYS[20], "wrong", "correction"))
    assert validity(among, old).ends_on == DAYS[20]
    assert current(among, DAYS[15]) == ["old"]


def test_a_retraction_leaves_nothing() -> None:
    old = claim("old")
    back = Retraction.model_validate({"id": "back", "target": "old", "reason": "Never said.", "retracted_on": DAYS[30]})
    among = catalogue_of(old, back)
    assert {status(among, old, day) for day in DAYS} == {"retracted"}
    assert validity(among, old).because == "on 2025-01-31: Never said."


def test_an_ended_claim_holds_up_to_its_end() -> None:
    ended = claim("c", ended={"on": "2025-02", "because": "Removed in 0.9."})
    among = catalogue_of(ended)
    assert [status(among, ended, day) for day in (date(2025, 1, 31), date(2025, 2, 1))] == ["current", "ended"]


def test_a_record_that_ended_by_itself_does_not_come_back_until_its_successor() -> None:
    old = cost("old", effective_to="2025-01-10")
    new = cost("new", supersedes=supersedes_link("old"), observed_on="2025-01-20")
    among = catalogue_of(old, new)
    assert [current(among, day) for day in (DAYS[8], DAYS[9], DAYS[18], DAYS[19])] == [["old"], [], [], ["new"]]
    assert validity(among, old).final_status == "ended"


@pytest.mark.parametrize(
    ("fields", "starts_on", "ends_on"),
    [
        ({"effective_from": "2025-01-03"}, date(2025, 1, 3), None),
        ({"effective_from": "2025-01"}, date(2025, 1, 31), None),
        ({}, date(2025, 1, 1), None),
        ({"observed_on": "unknown"}, None, None),
        ({"effective_to": "open"}, date(2025, 1, 1), None),
        ({"effective_to": "2025-03"}, date(2025, 1, 1), date(2025, 3, 1)),
    ],
)
def test_a_price_holds_only_while_it_is_known_to(fields: dict[str, str], starts_on: date | None, ends_on: date | None) -> None:
    held = validity(catalogue_of(price := cost("p", **fields)), price)
    assert (held.starts_on, held.ends_on) == (starts_on, ends_on)


def test_an_undated_claim_holds_from_the_first_reading_of_its_source() -> None:
    captures = [{"retrieved_at": "2025-01-20"}, {"retrieved_at": "2025-01-12"}]
    fields = {"title": "T", "publisher": "P", "type": "blog", "relation": "author", "licence": "L"}
    page = Source.model_validate({"id": "page", "captures": captures, **fields})
    undated = claim("c", None, source="page")
    assert validity(catalogue_of(page, undated), undated).starts_on == date(2025, 1, 12)
    assert status(catalogue_of(undated), undated, DAYS[50]) == "undated"


def test_a_circle_of_supersessions_comes_to_an_end() -> None:
    among = catalogue_of(claim("a", FIRST, "b", "correction"), claim("b", FIRST, "a", "correction"), claim("c", FIRST, "a"))
    assert current(among, DAYS[1]) == ["c"]
