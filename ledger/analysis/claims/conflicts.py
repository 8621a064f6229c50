"""Claims that speak of the same metric, or name each other as saying otherwise, set side by side."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from ledger.analysis.claims.claim_tests import Bearing, bearings
from ledger.analysis.claims.comparability import CORE, PERFORMANCE, Difference, conditions_of, differences, is_same
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
class Tested:
    """A measured claim and one that it tests."""

    measured: Claim
    claim: Claim
    bearings: tuple[Bearing, ...]


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Everything side by side under one subject."""

    groups: tuple[MetricGroup, ...]
    named: tuple[NamedPair, ...]
    tested: tuple[Tested, ...]


def conflicts(catalogue: Catalogue, claims: Iterable[Claim]) -> Conflicts:
    """Return what of these claims stands side by side; each named pair needs only one of them among them."""
    chosen = list(claims)
    by_metric: dict[tuple[str, str], list[Reading]] = defaultdict(list)
    for claim in chosen:
        for reading in readings(catalogue, claim):
            by_metric[reading.metric, reading.dimension].append(reading)
    groups = tuple(
        MetricGroup(metric, tuple(found), tuple(obstacles(found)))
        for (metric, _), found in sorted(by_metric.items())
        if len({reading.claim.id for reading in found}) > 1
    )
    return Conflicts(groups, tuple(_named(catalogue, chosen)), tuple(_tested(catalogue, chosen)))


def obstacles(found: list[Reading]) -> Iterator[str]:
    """Yield why numbers of one metric may not be comparable: conditions that differ or are unknown, bounds of other kinds."""
    columns = [conditions_of(reading) for reading in found]
    core = CORE if found[0].dimension in PERFORMANCE else ()
    for key in dict.fromkeys((*core, *(key for column in columns for key in column))):
        values = _distinct(key, [column[key] for column in columns if key in column])
        unknown = sum(key not in column for column in columns)
        words = [f"{len(values)} different values"] if len(values) > 1 else []
        if unknown:
            words.append(f"unknown for {unknown} of {len(found)}")
        if words:
            yield f"{key}: {', '.join(words)}"
    bounds = {reading.bound for reading in found}
    if "up-to" in bounds and len(bounds) > 1:
        yield "bound: 'up to' names the best of several results, the others are values; a value below it is no contradiction"
    statistics = sorted({reading.statistic for reading in found if reading.statistic})
    if len(statistics) > 1:
        yield f"statistic: {', '.join(statistics)}"


def _distinct(key: str, values: list[str]) -> list[str]:
    kept: list[str] = []
    for value in values:
        if not any(is_same(key, value, other) for other in kept):
            kept.append(value)
    return kept


def _named(catalogue: Catalogue, chosen: list[Claim]) -> Iterator[NamedPair]:
    inside = {claim.id for claim in chosen}
    named: dict[tuple[str, str], list[str]] = defaultdict(list)
    for claim in catalogue.of(Claim):
        for other in claim.conflicts_with:
            if claim.id in inside or other in inside:
                named[min(claim.id, other), max(claim.id, other)].append(claim.id)
    for pair, namers in sorted(named.items()):
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


def _tested(catalogue: Catalogue, chosen: list[Claim]) -> Iterator[Tested]:
    inside = {claim.id for claim in chosen}
    for measured in catalogue.of(Claim):
        for target in measured.bears_on:
            claim = catalogue.get(target, Claim)
            if claim and measured.label == "measured" and {measured.id, claim.id} & inside:
                yield Tested(measured, claim, tuple(bearings(catalogue, measured, claim)))


def same_metric_pairs(group: MetricGroup) -> Iterator[tuple[Reading, Reading, list[Difference]]]:
    """Yield every two numbers of different claims in a group, with the conditions in which they differ."""
    for left, right in combinations(group.readings, 2):
        if left.claim.id != right.claim.id:
            yield left, right, differences(left, right)
