"""Whether a draft speaks the target's language: the same ids must mean the same tokens. Pure."""

from collections.abc import Mapping

from ledger.errors import Problem

SHOWN = 3
"""How many differing ids a message names."""


def vocabulary_problems(
    target: Mapping[str, int], draft: Mapping[str, int], *, target_size: int, draft_size: int, arm: str = "draft"
) -> list[Problem]:
    """Return why a draft model cannot draft for a target; sizes are `vocab_size` of the two configurations.

    Sizes that agree prove nothing: two tokens swapped leave them equal and spoil every draft.
    """
    remedy = "Use a draft trained with the target's tokenizer, or set use_heterogeneous_vocab in its options."
    if target_size != draft_size:
        return [Problem("vocabulary", f"arm {arm}: the draft's vocabulary has {draft_size} ids, the target's {target_size}.", remedy)]
    differing = differing_ids(target, draft)
    if not differing:
        return []
    named = ", ".join(
        f"{number} ({by_target!r} in the target, {by_draft!r} in the draft)" for number, by_target, by_draft in differing[:SHOWN]
    )
    more = f" and {len(differing) - SHOWN} more" if len(differing) > SHOWN else ""
    ids = "id" if len(differing) == 1 else "ids"
    return [Problem("vocabulary", f"arm {arm}: {ids} {named}{more} map to different tokens, of {target_size}.", remedy)]


def differing_ids(target: Mapping[str, int], draft: Mapping[str, int]) -> list[tuple[int, str | None, str | None]]:
    """Return each id that maps to different tokens, with both; None where a side has no token for it."""
    left = {number: token for token, number in target.items()}
    right = {number: token for token, number in draft.items()}
    return [
        (number, left.get(number), right.get(number))
        for number in sorted(left.keys() | right.keys())
        if left.get(number) != right.get(number)
    ]
