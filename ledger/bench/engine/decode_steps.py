"""Every decode step of a request under speculation, steps without a draft included.

vLLM reports drafted and accepted tokens only for steps that had a draft. The chunk sizes tell where the others lie:
a step delivers its accepted tokens and one more, a step without a draft delivers one. The prefill delivers the first token.
"""

from collections.abc import Sequence


def all_steps(chunk_tokens: Sequence[int], drafted: Sequence[int], accepted: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return drafted and accepted per decode step, zero for a step without a draft.

    Where a step with a draft that accepted nothing and a step without one could stand in either order, the one with a
    draft comes first; counts are exact as long as each chunk is one step or whole steps merged for a slow reader.
    """
    steps: list[tuple[int, int]] = []
    drafts = list(zip(drafted, accepted, strict=True))
    place = 0
    last = len(chunk_tokens) - 1
    for number, tokens in enumerate(chunk_tokens):
        left = tokens - 1 if number == 0 else tokens  # the prefill's token comes from no decode step
        while left > 0:
            if place < len(drafts) and fits(drafts[place][1] + 1, left, is_last=number == last and place == len(drafts) - 1):
                steps.append(drafts[place])
                left -= drafts[place][1] + 1
                place += 1
            else:
                steps.append((0, 0))
                left -= 1
    steps.extend(drafts[place:])  # an aborted request: these were decoded and never delivered
    return tuple(step[0] for step in steps), tuple(step[1] for step in steps)


def fits(delivered: int, left: int, *, is_last: bool) -> bool:
    """Whether a step that yields `delivered` tokens can start here; the last one may be cut short by a stop or the length."""
    return delivered <= left or is_last
