"""Rules about the numbers of a claim."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from ledger.analysis.prices.firewall import without_code
from ledger.errors import Problem
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.records.claim import PLACEHOLDER, Claim, Quantity
from ledger.model.values.units import UNITS

TYPED_NUMBER = re.compile(
    r"(?<![\w.-])[-+]?\d[\d.,]*(?:\s?(?:-|–|to)\s?\d[\d.,]*)?[\s-]?"
    r"(?:[xX]\b|×|%|per ?cent\b|percentage points?\b|fold\b|"
    r"ms\b|µs\b|us\b|ns\b|s\b|(?:milli|micro|nano)?seconds?\b|tok(?:ens?)?\s?/\s?s(?:ec(?:onds?)?)?\b|tokens (?:per|a|each) second\b|tps\b|"
    r"req(?:uest)?s?\s?/\s?s(?:ec(?:ond)?)?\b|requests (?:per|a|each) second\b|[QR]PS\b|GiB\b|GB\b|MiB\b|MB\b|points?\b|times\b)"
)
"""A number with a metric's unit; dates, versions, sizes of models and names pass."""
_FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]+")


def _claims(catalogue: Catalogue) -> Iterator[tuple[Entry, Claim]]:
    for entry in catalogue:
        if isinstance(entry.record, Claim):
            yield entry, entry.record


def check_shape(catalogue: Catalogue) -> Iterator[Problem]:
    """A value or a range with low not above high; each name once."""
    for entry, claim in _claims(catalogue):
        counts = Counter(quantity.name for quantity in claim.quantities)
        for index, quantity in enumerate(claim.quantities):
            if fault := _fault(quantity):
                yield entry.problem("LEDG030", ("quantities", index), f"{quantity.name} {fault}.", remedy="Give value, or low and high.")
            if counts[quantity.name] > 1:
                yield entry.problem("LEDG030", ("quantities", index, "name"), f"{quantity.name} is used twice.", remedy="Rename one.")


def _fault(quantity: Quantity) -> str | None:
    ends = (quantity.low, quantity.high)
    if quantity.value is not None:
        return "has a value and a range" if any(end is not None for end in ends) else None
    if quantity.low is None or quantity.high is None:
        return "has neither a value nor both ends of a range"
    return "has its low end above its high end" if quantity.low > quantity.high else None


def check_placeholders(catalogue: Catalogue) -> Iterator[Problem]:
    """Each `{name}` is a quantity or value of the claim."""
    for entry, claim in _claims(catalogue):
        known = {quantity.name for quantity in claim.quantities} | set(claim.values)
        for name in claim.placeholders:
            if name not in known:
                yield entry.problem(
                    "LEDG031",
                    ("statement",),
                    f"{{{name}}} names no quantity.",
                    remedy=f"Use one of {', '.join(sorted(known)) or 'none: add one'}.",
                )


def check_typed_numbers(catalogue: Catalogue) -> Iterator[Problem]:
    """A statement types no measured number."""
    for entry, claim in _claims(catalogue):
        for match in TYPED_NUMBER.finditer(PLACEHOLDER.sub("", without_code(claim.statement))):
            yield entry.problem(
                "LEDG032", ("statement",), f'"{match.group()}" is typed.', remedy="Make it a quantity and print it with {name}."
            )


def check_flags(catalogue: Catalogue) -> Iterator[Problem]:
    """A flag in the statement stands under `flags`, with tool and version."""
    for entry, claim in _claims(catalogue):
        quoted = " ".join(flag.text for flag in claim.flags)
        for flag in dict.fromkeys(_FLAG.findall(claim.statement)):
            if flag not in quoted:
                yield entry.problem("LEDG033", ("statement",), f"{flag} is quoted without tool and version.", remedy="Add it to flags.")


def check_dimensions(catalogue: Catalogue) -> Iterator[Problem]:
    """A metric has units of one dimension in the whole ledger: it is not a time here and a ratio there."""
    seen: dict[str, dict[str, list[tuple[Entry, int]]]] = defaultdict(lambda: defaultdict(list))
    for entry, claim in _claims(catalogue):
        for index, quantity in enumerate(claim.quantities):
            seen[quantity.metric][UNITS[quantity.unit]].append((entry, index))
    for metric, by_dimension in seen.items():
        if len(by_dimension) < 2:
            continue
        usual = max(by_dimension, key=lambda dimension: len(by_dimension[dimension]))
        for dimension, places in by_dimension.items():
            for entry, index in places if dimension != usual else ():
                yield entry.problem(
                    "LEDG034",
                    ("quantities", index, "unit"),
                    f"{metric} is a {dimension} here and a {usual} elsewhere.",
                    remedy="Name another metric or unit.",
                )
