"""Whether names written beside their marks would run into each other or into a mark."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

NAME_SIZE = 9
_CHARACTER, _LINE = 0.56, 1.15
"""Mean width of a character and height of a line of the bundled sans, in font sizes."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels, from the upper left corner; `owner` is the arm that it belongs to."""

    owner: str
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        """Whether the two have an inner point in common."""
        return self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom


def name_box(name: str, *, left: float | None = None, middle: float | None = None, bottom: float) -> Box:
    """Return where a name stands that begins at `left`, or is centred at `middle`."""
    width = len(name) * NAME_SIZE * _CHARACTER
    start = left if left is not None else (middle or 0.0) - width / 2
    return Box(name, start, bottom - NAME_SIZE * _LINE, start + width, bottom)


def has_room(names: Sequence[Box], marks: Sequence[Box]) -> bool:
    """Whether no name meets another name, or the mark of another arm."""
    apart = not any(one.meets(other) for one, other in combinations(names, 2))
    return apart and not any(name.meets(mark) for name in names for mark in marks if name.owner != mark.owner)
