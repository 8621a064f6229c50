"""What a plan fixed, in words: its arms, the faults of its drills, its questions."""

from collections.abc import Iterator

from ledger.model.records.protocol import Arm, Protocol

FAULTS = {
    "disconnect": "half of its clients had left in mid-stream",
    "engine-killed": "its processes had been killed under load",
    "overload": "more requests had arrived than it could serve",
}
"""What each kind of drill did, as it reads behind `After`."""


def arm_words(arm: Arm) -> str:
    """Return an arm as it reads in a sentence."""
    if arm.repeats_of:
        return "a repeat of the baseline"
    if arm.matches:
        return f"no speculation, on the scheduler that {arm.matches} has"
    if arm.method == "ngram":
        return f"n-gram speculation of {arm.num_speculative_tokens} tokens"
    drafters = {"self": "the model itself", "untrained": "an untrained model"}
    if arm.draft in drafters:
        return f"a draft of {arm.num_speculative_tokens} tokens by {drafters[arm.draft]}"
    tokens = f" of {arm.num_speculative_tokens} tokens" if arm.num_speculative_tokens else ""
    return f"{arm.method.replace('_', ' ')} speculation{tokens}" if arm.method else "no speculation"


def planned_words(protocol: Protocol) -> Iterator[str]:
    """Yield what a plan fixed in words that a measured sentence may repeat: its questions, its arms, the faults of its drills."""
    yield from (rule.question for rule in protocol.rules)
    yield from (arm_words(arm) for arm in protocol.arms)
    yield from (FAULTS[drill.kind] for drill in protocol.drills)
