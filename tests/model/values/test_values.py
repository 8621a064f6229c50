"""Days, partial dates, instants and decimals: what is read, what is refused, and how it is said."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from ledger.model.values.values import Day, Exact, Instant, PartialDate, Slug

DAYS = st.dates(date(1970, 1, 1), date(2199, 12, 31))
LENGTHS = st.sampled_from([4, 7, 10])


def read(kind: Any, value: object) -> Any:
    """Return a value as a field of that kind reads it."""
    return TypeAdapter(kind).validate_python(value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2026-13-05", "got 2026-13-05, expected a day that is in the calendar"),
        ("2026-02-29", "got 2026-02-29, expected a day that is in the calendar"),
        ("2026-09-31", "got 2026-09-31, expected a day that is in the calendar"),
        ("05/12/2026", 'got "05/12/2026", expected a whole day as YYYY-MM-DD'),
        ("14.07.2026", 'got "14.07.2026", expected a whole day as YYYY-MM-DD'),
        ("2026-9-1", 'got "2026-9-1", expected a whole day as YYYY-MM-DD'),
        ("20260901", 'got "20260901", expected a whole day as YYYY-MM-DD'),
        ("2026-09", 'got "2026-09", expected a whole day as YYYY-MM-DD'),
        ("Q3 2026", 'got "Q3 2026", expected a whole day as YYYY-MM-DD'),
        ("2026-W36-2", 'got "2026-W36-2", expected a whole day as YYYY-MM-DD'),
        ("٢٠٢٦-٠٩-٠١", "expected a whole day as YYYY-MM-DD"),
        ("2026-09-01\n", "expected a whole day as YYYY-MM-DD"),
        ("0026-09-01", "got the year 0026, expected 1970 to 2199"),
        (date(26, 9, 1), "got the year 0026, expected 1970 to 2199"),
        (datetime(2026, 9, 1, tzinfo=UTC), "got the time 2026-09-01T00:00:00+00:00, expected a day"),
        (20260901, "got 20260901, expected a day as YYYY-MM-DD"),
    ],
)
def test_a_day_is_refused_with_its_reason(text: object, reason: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        read(Day, text)
    assert reason in str(refusal.value)


@pytest.mark.parametrize("value", ["2028-02-29", date(2028, 2, 29)])
def test_a_leap_day_of_a_leap_year_is_read(value: object) -> None:
    assert read(Day, value) == date(2028, 2, 29)


@pytest.mark.parametrize("text", ["2026-13", "2026-9", "26", "2026-02-29", "2026-09-01T00:00:00", "2026-09 ", "٢٠٢٦", "", "2026-", "1969"])
def test_a_partial_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="got"):
        PartialDate(text)


def test_a_month_that_is_none_is_told_as_it_was_written() -> None:
    with pytest.raises(ValueError, match='got "2026-13", expected a month from 01 to 12'):
        PartialDate("2026-13")


@given(DAYS, LENGTHS)
def test_a_partial_date_keeps_its_text_and_bounds_the_day(day: date, length: int) -> None:
    partial = PartialDate(day.isoformat()[:length])
    assert str(partial) == day.isoformat()[:length]
    assert partial.precision == {4: "year", 7: "month", 10: "day"}[length]
    assert partial.first <= day <= partial.last
    assert (partial.first == partial.last) == (length == 10)


@given(st.lists(st.tuples(DAYS, LENGTHS).map(lambda pair: PartialDate(pair[0].isoformat()[: pair[1]])), max_size=8))
def test_partial_dates_are_ordered_by_their_first_day(dates: list[PartialDate]) -> None:
    in_order = sorted(dates)
    assert [partial.first for partial in in_order] == sorted(partial.first for partial in dates)
    in_order.reverse()
    assert sorted(in_order) == sorted(dates)


def test_a_month_is_neither_its_first_day_nor_equal_to_it() -> None:
    month, day = PartialDate("2026-09"), PartialDate("2026-09-01")
    assert month != day
    assert month < day
    assert len({month, day, PartialDate(date(2026, 9, 1))}) == 2


@given(st.from_regex(r"-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?", fullmatch=True))
def test_a_decimal_keeps_every_digit(text: str) -> None:
    assert TypeAdapter(Exact).dump_python(read(Exact, text)) == text
    assert read(Exact, TypeAdapter(Exact).dump_python(Decimal(text))) == Decimal(text)


@pytest.mark.parametrize("value", [2.5, 2, True, "2,5", "1e3", "01", ".5", "+1", "NaN", "Infinity", "1_000", "2.8\n", "١٢", " 1", ""])
def test_anything_but_a_quoted_plain_decimal_is_refused(value: object) -> None:
    with pytest.raises(ValidationError, match="got"):
        read(Exact, value)


def test_an_instant_is_kept_in_utc_and_needs_its_offset() -> None:
    assert read(Instant, "2026-03-01T10:00:00+01:00") == datetime(2026, 3, 1, 9, tzinfo=UTC)
    for naive in ("2026-03-01T10:00:00", "2026-03-01", datetime(2026, 3, 1)):  # noqa: DTZ001  # that is the point
        with pytest.raises(ValidationError, match="without a zone"):
            read(Instant, naive)


@pytest.mark.parametrize("text", ["A-b", "a_b", "-a", "a-", "a--b", "ä", "a b", "", "x" * 101, "a\n"])
def test_an_id_is_a_slug(text: str) -> None:
    with pytest.raises(ValidationError):
        read(Slug, text)


@pytest.mark.parametrize("text", ["0.0000001", "0.00000025", "-0.0000005", "123456789012345678901234567890.5", "9" * 400])
def test_a_decimal_of_any_size_is_stored_as_written_and_read_back(text: str) -> None:
    exact = TypeAdapter(Exact)
    assert exact.dump_json(exact.validate_python(text)) == f'"{text}"'.encode()
    assert exact.validate_json(exact.dump_json(exact.validate_python(text))) == Decimal(text)
