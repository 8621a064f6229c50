"""Claims that speak of the same metric, that name each other as saying otherwise, or that test each other."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ledger.analysis.claims.claim_tests import ClaimTest, claim_tests
from ledger.analysis.claims.comparability import Difference, conditions_of, core_conditions, differences, is_same
from ledger.analysis.claims.readings import Reading, readings
from ledger.model.catalogue import Catalogue
from ledger.model.records.claim import Claim


@dataclass(frozen=True, slots=True)
class MetricGroup:
    """Numbers of one metric from at least two claims, and what stands in the way of comparing them."""

    metric: str
    readings: tuple[Reading, ...]
    obstacles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamedPair:
    """Two claims of which one says that the other says otherwise."""

    claim: Claim
    other: Claim
    named_by: tuple[str, ...]
    """Ids of those that name the other one."""
    differences: tuple[Difference, ...]
    """Conditions that differ between numbers of a metric that both have."""


@dataclass(frozen=True, slots=True)
class ClaimUnderTest:
    """A claim, and a measured claim that says that it tests it."""

    measured: Claim
    claim: Claim
    tests: tuple[ClaimTest, ...]


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Everything side by side under one subject."""

    groups: tuple[MetricGroup, ...]
    named_pairs: tuple[NamedPair, ...]
    under_test: tuple[ClaimUnderTest, ...]


def conflicts(catalogue: Catalogue, claims: Iterable[Claim]) -> Conflicts:
    """Return what stands side by side among these claims; of a named pair or a test, one claim of the two is enough."""
    chosen = list(claims)
    return Conflicts(tuple(_groups(catalogue, chosen)), tuple(_named_pairs(catalogue, chosen)), tuple(_under_test(catalogue, chosen)))


def _groups(catalogue: Catalogue, chosen: list[Claim]) -> Iterator[MetricGroup]:
    by_metric: dict[tuple[str, str], list[Reading]] = defaultdict(list)
    for claim in chosen:
        for reading in readings(catalogue, claim):
            by_metric[reading.metric, reading.dimension].append(reading)
    for (metric, _), numbers in sorted(by_metric.items()):
        if len({reading.claim.id for reading in numbers}) > 1:
            yield MetricGroup(metric, tuple(numbers), tuple(obstacles(numbers)))


def obstacles(numbers: list[Reading]) -> Iterator[str]:
    """Yield why numbers of one metric may not be comparable: conditions that differ or are unknown, bounds of other kinds."""
    columns = [conditions_of(reading) for reading in numbers]
    for key in dict.fromkeys((*core_conditions(numbers[0]), *(key for column in columns for key in column))):
        if words := _obstacle(key, columns):
            yield f"{key}: {words}"
    bounds = {reading.bound for reading in numbers}
    if "up-to" in bounds and len(bounds) > 1:
        yield "bound: 'up to' names the best of several results, the others are values; a value below it is no contradiction"
    statistics = sorted({reading.statistic for reading in numbers if reading.statistic})
    if len(statistics) > 1:
        yield f"statistic: {', '.join(statistics)}"


def _obstacle(key: str, columns: list[dict[str, str]]) -> str:
    """Return in words how one condition differs or is unknown; empty where it stands in nobody's way."""
    values = _distinct_values(key, [column[key] for column in columns if key in column])
    unknown = sum(key not in column for column in columns)
    words = [f"{len(values)} different values"] if len(values) > 1 else []
    if unknown:
        words.append(f"unknown for {unknown} of {len(columns)}")
    return ", ".join(words)


def _distinct_values(key: str, values: list[str]) -> list[str]:
    kept: list[str] = []
    for value in values:
        if not any(is_same(key, value, other) for other in kept):
            kept.append(value)
    return kept


def _named_pairs(catalogue: Catalogue, chosen: list[Claim]) -> Iterator[NamedPair]:
    inside = {claim.id for claim in chosen}
    namers_of: dict[tuple[str, str], list[str]] = defaultdict(list)
    for claim in catalogue.of(Claim):
        for other in claim.conflicts_with:
            if claim.id in inside or other in inside:
                namers_of[min(claim.id, other), max(claim.id, other)].append(claim.id)
    for pair, namers in sorted(namers_of.items()):
        first, second = (catalogue.get(record_id, Claim) for record_id in pair)
        if first and second:
            yield NamedPair(first, second, tuple(namers), tuple(_pair_differences(catalogue, first, second)))


def _pair_differences(catalogue: Catalogue, first: Claim, second: Claim) -> list[Difference]:
    pairs = [
        (left, right)
        for left in readings(catalogue, first)
        for right in readings(catalogue, second)
        if (left.metric, left.dimension) == (right.metric, right.dimension)
    ]
    return list(dict.fromkeys(difference for left, right in pairs for difference in differences(left, right)))


def _under_test(catalogue: Catalogue, chosen: list[Claim]) -> Iterator[ClaimUnderTest]:
    inside = {claim.id for claim in chosen}
    for measured in catalogue.of(Claim):
        for target in measured.bears_on:
            claim = catalogue.get(target, Claim)
            if claim and measured.label == "measured" and {measured.id, claim.id} & inside:
                yield ClaimUnderTest(measured, claim, tuple(claim_tests(catalogue, measured, claim)))
