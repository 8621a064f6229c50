"""What does not fit together in a plan that is about to run: `ledger check` says it of records, a run says it of its own."""

from collections.abc import Iterator

from ledger.analysis.rules.plans import protocol_faults
from ledger.errors import Problem
from ledger.model.records.protocol import Arm, Protocol

SHARED_SETTINGS = ("method", "num_speculative_tokens", "prompt_lookup_min", "prompt_lookup_max", "draft", "options")
"""Settings that an arm shares with the arm that it repeats."""
OWN_CHECKS = ("loads", "drills")
"""Parts whose single entries `preflight` looks at with what it knows of the machine."""


def plan_problems(plan: Protocol) -> list[Problem]:
    """Return everything in a plan that does not fit together: names used twice or nowhere, a baseline that is none, unequal copies."""
    problems = [
        Problem("plan", f"{'.'.join(map(str, field))}: {message}", remedy, field=field)
        for field, message, remedy in protocol_faults(plan)
        if not (field[0] in OWN_CHECKS and len(field) > 1)
    ]
    return [*problems, *copy_problems(plan)]


def copy_problems(plan: Protocol) -> Iterator[Problem]:
    """Yield arms that repeat another and are set otherwise, or stand before it: A/A would compare two different things."""
    for place, arm in enumerate(plan.arms):
        original = plan.arm(arm.repeats_of) if arm.repeats_of else None
        if original is None:
            continue
        at = ("arms", place, "repeats_of")
        if original not in plan.arms[:place]:
            yield Problem("plan", f"arm {arm.id}: repeats {original.id}, which does not stand before it.", "Put it after.", field=at)
        elif differing := differing_settings(arm, original):
            yield Problem("plan", f"arm {arm.id}: repeats {original.id} with another {differing[0]}.", "Set it alike.", field=at)


def differing_settings(arm: Arm, original: Arm) -> list[str]:
    """Return the settings in which two arms differ."""
    return [name for name in SHARED_SETTINGS if getattr(arm, name) != getattr(original, name)]
