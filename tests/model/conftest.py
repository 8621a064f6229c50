"""Random records of each kind, built from the fields that the models declare."""

import re
import types
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import partial
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from annotated_types import Ge, Interval, MaxLen, MinLen
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from pydantic import AfterValidator, BaseModel, StringConstraints
from pydantic.fields import FieldInfo

from ledger.model.kinds import KINDS
from ledger.model.record import Record
from ledger.model.values.moments import Moment
from ledger.model.values.reference import Reference
from ledger.model.values.units import UNITS, Unit
from ledger.model.values.values import PartialDate, TomlValue

DAYS = st.dates(date(1970, 1, 1), date(2199, 12, 31))
DECIMALS = st.from_regex(re.compile(r"-?(0|[1-9][0-9]{0,8})(\.[0-9]{1,9})?"), fullmatch=True).map(Decimal)
PARTIAL_DATES = st.tuples(DAYS, st.sampled_from([4, 7, 10])).map(lambda pair: PartialDate(pair[0].isoformat()[: pair[1]]))
TIMES = st.datetimes(datetime.fromisoformat("1990-01-01"), datetime.fromisoformat("2100-01-01"), timezones=st.sampled_from([None, UTC]))
SURROGATES: tuple[Literal["Cs"]] = ("Cs",)
WORDS = st.text(st.characters(exclude_categories=SURROGATES, exclude_characters="{}"), min_size=1, max_size=12).filter(str.strip)
PLAIN: dict[Any, SearchStrategy[Any]] = {
    str: st.text(st.characters(exclude_categories=SURROGATES), max_size=12),
    bool: st.booleans(),
    int: st.integers(-(10**12), 10**12),
    float: st.floats(allow_nan=False, allow_infinity=False),
    type(None): st.none(),
    PartialDate: PARTIAL_DATES,
    Moment: PARTIAL_DATES.map(Moment) | TIMES.map(Moment),
    date: DAYS,
    Decimal: DECIMALS,
    datetime: st.datetimes(datetime(1970, 1, 2), datetime(2199, 12, 30), timezones=st.just(UTC)),  # noqa: DTZ001  # bounds must be naive
}
NAMED: dict[Any, SearchStrategy[Any]] = {
    Unit: st.sampled_from(list(UNITS)),
    TomlValue: st.recursive(
        PLAIN[str] | st.booleans() | st.integers(-(10**12), 10**12) | st.floats(allow_nan=False, allow_infinity=False),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(PLAIN[str], inner, max_size=2),
        max_leaves=4,
    ),
    Reference: st.sampled_from(["run:r#a/c1/tpot.p50", "run:@this#a~b/c1/r2/itl.p99", "run:r#suite.s/a", "claim-1#speed.up"]),
}


def values_of(annotation: Any) -> SearchStrategy[Any]:
    """Return a strategy for the values that a field with this annotation takes."""
    if annotation in NAMED:
        return NAMED[annotation]
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return part_of(annotation)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _constrained(arguments[0], annotation.__metadata__)
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in (Union, types.UnionType):
        return st.one_of([values_of(argument) for argument in arguments])
    return _collection_of(origin, arguments) if origin in (tuple, dict) else PLAIN[annotation]


def _collection_of(origin: Any, arguments: tuple[Any, ...]) -> SearchStrategy[Any]:
    if origin is dict:
        return st.dictionaries(values_of(arguments[0]), values_of(arguments[1]), max_size=2)
    if arguments[-1] is ...:
        return st.lists(values_of(arguments[0]), max_size=2).map(tuple)
    return st.tuples(*map(values_of, arguments))


def _constrained(base: Any, metadata: tuple[Any, ...]) -> SearchStrategy[Any]:
    """A strategy narrowed by patterns, bounds and validators."""
    metadata = tuple(item for entry in metadata for item in (entry.metadata if isinstance(entry, FieldInfo) else [entry]))
    patterns = [found for item in metadata if (found := getattr(item, "pattern", None))]
    strategy: SearchStrategy[Any] = st.from_regex(patterns[0], fullmatch=True) if patterns else WORDS if base is str else values_of(base)
    least = max([getattr(item, "ge", None) or 0 for item in metadata if isinstance(item, Ge | Interval)], default=None)
    if base is int and least is not None:
        strategy = st.integers(least, 10**6)
    for item in metadata:
        if isinstance(item, StringConstraints) and item.max_length:
            strategy = strategy.filter(partial(_is_within, item.max_length))
        if isinstance(item, MinLen | MaxLen) and get_origin(base) is tuple:
            strategy = st.lists(values_of(get_args(base)[0]), min_size=getattr(item, "min_length", 0), max_size=3).map(tuple)
        if isinstance(item, AfterValidator):
            strategy = strategy.filter(partial(_is_accepted, item.func))
    return strategy


def _is_within(most: int, text: str) -> bool:
    return len(text) <= most


def _is_accepted(validator: Callable[..., Any], value: object) -> bool:
    try:
        validator(value)
    except ValueError:
        return False
    return True


def part_of(model: type[BaseModel]) -> SearchStrategy[Any]:
    """Return a strategy for a record or a part of one; fields with a default are left out at times."""
    hints = get_type_hints(model, include_extras=True)
    needed = {name: values_of(hints[name]) for name, field in model.model_fields.items() if field.is_required()}
    free = {name: values_of(hints[name]) for name, field in model.model_fields.items() if not field.is_required() and name != "schema_"}
    return st.fixed_dictionaries(needed, optional=free).map(model.model_validate)


@pytest.fixture(scope="session")
def records_of() -> Callable[[str], SearchStrategy[Record]]:
    """A function that returns random records of a kind."""
    return lambda kind: part_of(KINDS[kind])
