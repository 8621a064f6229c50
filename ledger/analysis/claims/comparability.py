"""Whether two numbers may be compared: the conditions that differ, or that one side does not state.

A condition that nobody stated cannot be shown to agree, so it stands in the way like one that differs.
"""

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from ledger.analysis.claims.readings import Reading

ALIASES = {"gpu": "hardware", "device": "hardware", "k": "draft-tokens", "num-speculative-tokens": "draft-tokens"}
DESCRIPTIVE = frozenset(("note", "as-stated", "stated-in", "source", "measured-by", "out-of", "of", "basis", "standing", "per"))
"""Keys that explain a number and are no condition of it."""
CORE = ("model", "hardware")
"""Without these a number of performance stands for nothing in particular."""
PERFORMANCE = frozenset(
    ("ratio", "time", "token rate", "token rate per device", "token rate per user", "request rate", "memory", "power", "energy")
)
VERSION = "version"


@dataclass(frozen=True, slots=True)
class Difference:
    """One condition in which two numbers differ, or may; None is unknown."""

    key: str
    left: str | None
    right: str | None

    def __str__(self) -> str:
        if self.left is None and self.right is None:
            return f"{self.key}: unknown on both sides"
        return f"{self.key}: {self.left or 'unknown'} against {self.right or 'unknown'}"


def conditions_of(reading: Reading) -> dict[str, str]:
    """Return the conditions of a number under their common names, its version among them; the number's own wins over its claim's."""
    own = {ALIASES.get(key, key): text for key, text in reading.conditions.items() if key not in DESCRIPTIVE}
    return {**({VERSION: reading.version} if reading.version else {}), **own}


def core_conditions(reading: Reading) -> tuple[str, ...]:
    """Return the conditions without which a number stands for nothing in particular; none are needed beside performance."""
    return CORE if reading.dimension in PERFORMANCE else ()


def differences(left: Reading, right: Reading) -> list[Difference]:
    """Return every condition in which two numbers differ or that only one of them states, core ones first."""
    ours, theirs = conditions_of(left), conditions_of(right)
    keys = dict.fromkeys((*core_conditions(left), *ours, *theirs))
    differing = [Difference(key, ours.get(key), theirs.get(key)) for key in keys if not _is_known_same(key, ours, theirs)]
    if left.statistic and right.statistic and not _is_same_statistic(left.statistic, right.statistic):
        differing.append(Difference("statistic", left.statistic, right.statistic))
    return differing


def _is_known_same(key: str, ours: dict[str, str], theirs: dict[str, str]) -> bool:
    return key in ours and key in theirs and is_same(key, ours[key], theirs[key])


def _is_same_statistic(left: str, right: str) -> bool:
    return left == right or {left, right} <= {"p50", "median"}


def is_same(key: str, left: str, right: str) -> bool:
    """Whether two conditions say the same: numbers by value, versions down to the shorter one, text without case and signs."""
    if key == VERSION:
        return _is_same_version(left, right)
    numbers = _number(left), _number(right)
    return numbers[0] == numbers[1] if None not in numbers else _letters(left) == _letters(right)


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.strip().removesuffix("%"))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None  # "NaN" is a word to us, and not to be compared as a number


def _letters(text: str) -> str:
    return re.sub(r"[^\w.]+", "", text.casefold())


def _is_same_version(left: str, right: str) -> bool:
    """`vLLM 0.6` and `vllm 0.6.3` agree as far as they say; two texts without a number must be alike."""
    numbers: list[list[str]] = [re.findall(r"\d+(?:\.\d+)+", text) for text in (left, right)]
    if not all(numbers):
        return _letters(left) == _letters(right)
    first: list[str] = numbers[0][0].split(".")
    second: list[str] = numbers[1][0].split(".")
    shorter = min(len(first), len(second))
    return first[:shorter] == second[:shorter]
