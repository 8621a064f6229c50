"""Facts of a run that are no cells: its suites, its memory, its drills; each found by the key that a reference names.

`suite.SUITE/ARM[/CATEGORY]`, `suite.SUITE/ARM/negative-controls`, `memory.ARM/PART`, `drill.DRILL/ARM/METRIC`. Under
`suite` and `memory`, `ARM~BASE` in the arm's place is the arm's figure over the base's.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ledger.model.records.run import DrillResult, Measure, Run, SuiteResult
from ledger.model.values.reference import FactReference

RULE_GROUPS = ("suite", "memory", "drill")
"""Groups whose facts a rule may bound."""
RATIO_GROUPS = ("suite", "memory")
"""Groups that know `ARM~BASE`; a drill happens once an arm, so that a ratio of two would be no more than chance."""
NEGATIVE = "negative-controls"
REFUSING = ("refusal", "abstain")
"""Categories in which the right behaviour is to refuse or to abstain."""
Score = tuple[int, int]
"""Passed and asked."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the rules may ask beside cells and comparisons."""

    suites: tuple[SuiteResult, ...] = ()
    memory: Mapping[str, Mapping[str, Measure]] | None = None
    """Arm to part to measure."""
    drills: tuple[DrillResult, ...] = ()

    @classmethod
    def of(cls, run: Run) -> "Facts":
        """Return the facts of a run read back."""
        return cls(run.suites, run.memory, run.drills)


NONE = Facts()


@dataclass(frozen=True, slots=True)
class Place:
    """The parts of a fact's key."""

    before: str
    """The suite or drill; empty for memory."""
    arm: str
    base: str | None
    after: str
    """Category, part of memory, or metric of a drill; empty for a whole suite."""

    def key(self, arm: str) -> str:
        """Return the key of the same fact on an arm."""
        return "/".join(part for part in (self.before, arm, self.after) if part)


def place(parsed: FactReference) -> Place | None:
    """Return the parts of a key; None where its group has no arms or the key lacks one."""
    parts = parsed.key.split("/")
    if parsed.group == "memory":
        parts = ["", *parts]
    if parsed.group not in RULE_GROUPS or len(parts) < 2 or (parsed.group != "suite" and len(parts) < 3):
        return None
    arm, _, base = parts[1].partition("~")
    return Place(parts[0], arm, base or None, "/".join(parts[2:]))


def fact(facts: Facts, parsed: FactReference) -> Measure | None:
    """Return what a reference names; None where the run does not have it."""
    found, where = measures(facts, parsed.group), place(parsed)
    if where is None or where.base is None:
        return found.get(parsed.key)
    over, under = found.get(where.key(where.arm)), found.get(where.key(where.base))
    if parsed.group not in RATIO_GROUPS or over is None or under is None:
        return None
    return _quotient(over, under)


def measures(facts: Facts, group: str) -> dict[str, Measure]:
    """Return the facts of one group by key, those of single arms."""
    match group:
        case "suite":
            return {key: _share(score) for key, score in scores(facts.suites)}
        case "memory":
            return {f"{arm}/{part}": one for arm, parts in (facts.memory or {}).items() for part, one in parts.items()}
        case "drill":
            return {f"{d.drill}/{d.arm}/{metric}": one for d in facts.drills for metric, one in d.metrics.items()}
    return {}


def scores(suites: tuple[SuiteResult, ...]) -> Iterator[tuple[str, Score]]:
    """Yield key and score of every suite on every arm: as a whole, by category, and of its negative controls."""
    for one in suites:
        key = f"{one.suite}/{one.arm}"
        yield key, (one.passed, one.passed + one.failed)
        yield from ((f"{key}/{category}", score) for category, score in one.by_category.items() if category != NEGATIVE)
        if (controls := negative_controls(one))[1]:
            yield f"{key}/{NEGATIVE}", controls


def negative_controls(result: SuiteResult) -> Score:
    """Return passed and asked of the items whose right behaviour is to refuse or to abstain."""
    if result.negative_controls is not None:
        return result.negative_controls
    found = [result.by_category[category] for category in REFUSING if category in result.by_category]
    return sum(passed for passed, _ in found), sum(asked for _, asked in found)


def _share(score: Score) -> Measure:
    """A share of the items asked. They are all of the suite's items and no sample of it, so there is no interval."""
    passed, asked = score
    return Measure(value=passed / asked, unit="share", n=asked) if asked else Measure(unit="share", n=0, reason="no data (0 items)")


def _quotient(over: Measure, under: Measure) -> Measure:
    n = min(over.n, under.n)
    if over.value is None or under.value is None:
        return Measure(unit="ratio", n=n, reason=over.reason or under.reason or "not recorded")
    if under.value == 0:
        return Measure(unit="ratio", n=n, reason="undefined (the base is 0)")
    return Measure(value=over.value / under.value, unit="ratio", n=n)


def why_no_verdict(status: str, *, planned: bool) -> str | None:
    """Return why no verdict can rest on a run; None where one can."""
    if status != "complete":
        return f"the run is {status}; a verdict needs a complete one"
    return None if planned else "the plan had not landed before the run started; a verdict needs one fixed beforehand"
