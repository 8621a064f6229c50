"""Times with a zone, without one, and dates alone."""

from datetime import date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.model.values.moments import Moment


@pytest.mark.parametrize("text", ["2026-07-02T03:15:00Z", "2026-07-01T21:15:00-06:00", "2026-07-01T22:15:00[America/Chicago]"])
def test_one_instant_in_several_spellings(text: str) -> None:
    moment = Moment(text)
    assert (moment.shown, moment.certain_from) == ("2026-07-02T03:15:00Z", date(2026, 7, 2))
    assert moment == Moment("2026-07-02T03:15:00+00:00")


def test_a_local_time_without_a_zone_is_marked_and_bounds_its_day() -> None:
    moment = Moment("2026-07-01T21:15:00")
    assert moment.shown == "2026-07-01T21:15:00 (zone unknown)"
    assert (moment.first, moment.last, moment.certain_from) == (date(2026, 7, 1), date(2026, 7, 2), date(2026, 7, 2))
    assert moment.instant is None


def test_a_day_stays_a_day() -> None:
    assert (Moment("2026-07-01").shown, Moment("2026-07").shown) == ("2026-07-01", "2026-07")
    assert Moment(date(2026, 7, 1)).precision == "day"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2026-11-01T01:30:00[America/New_York]", "showed twice"),
        ("2026-03-08T02:30:00[America/New_York]", "showed never"),
        ("2026-03-08T02:30:00[Mars/Olympus]", "expected a name"),
        ("2026-03-08T02:30:00Z[Europe/Berlin]", "an offset and a zone"),
        ("2026-03-08T24:30:00", "expected a time"),
        ("0026-03-08T02:30:00Z", "the year 0026"),
        ("2026-13", "a month from 01 to 12"),
    ],
)
def test_what_is_no_moment_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Moment(text)


OFFSETS = st.integers(-12 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
NO_ZONE: st.SearchStrategy[timezone | None] = st.none()
TIMES = st.datetimes(datetime.fromisoformat("1990-01-01"), datetime.fromisoformat("2100-01-01"), timezones=st.one_of(NO_ZONE, OFFSETS))


@given(st.lists(TIMES.map(Moment) | st.dates(date(1990, 1, 1), date(2100, 1, 1)).map(Moment)))
def test_sorting_never_raises_and_text_comes_back(moments: list[Moment]) -> None:
    assert [Moment(moment.text) for moment in sorted(moments)] == sorted(moments)
    assert all(moment.first <= moment.last for moment in moments)
