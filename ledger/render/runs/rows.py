"""A run's environment, suites, memory and drills as rows of text; who prints them chooses the table."""

from collections.abc import Iterable, Mapping

from ledger.model.records.run import Measure, SuiteResult, environment_words
from ledger.model.values.metrics import DRILL_WORDS, MEMORY_WORDS, metric_words
from ledger.render.runs.measure_text import capitalise, size_text


def environment_row(key: str, value: object) -> tuple[str, str]:
    """Return the name of an entry of an environment, and its value; a size in MiB or GiB."""
    is_size = key.endswith("_bytes") and isinstance(value, int | float)
    return environment_words(key), size_text(float(value)) if is_size and isinstance(value, int | float) else str(value)


def passed_text(result: SuiteResult) -> str:
    """Return how many answers of a suite passed: `9 of 10`."""
    return f"{result.passed} of {result.passed + result.failed}"


def memory_parts(memory: Iterable[Mapping[str, Measure]]) -> list[str]:
    """Return the parts of memory that any arm recorded: the known ones in their order, then the others as they come."""
    recorded = dict.fromkeys(part for parts in memory for part in parts)
    return [part for part in dict.fromkeys((*MEMORY_WORDS, *recorded)) if part in recorded]


def part_words(part: str) -> str:
    """Return the name of a part of memory as a heading."""
    return MEMORY_WORDS.get(part) or capitalise(part.replace("-", " "))


def drill_words(metric: str) -> str:
    """Return what a figure of a drill says, in words."""
    return DRILL_WORDS.get(metric) or capitalise(metric_words(metric))
