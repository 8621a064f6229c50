"""How long something took: from the monotonic clock, with a note where the wall clock went back."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Elapsed:
    """A duration in seconds, and what the reader must know about the clocks."""

    seconds: float
    note: str | None = None


def elapsed(start_at: datetime, end_at: datetime, *, start_mono_s: float | None = None, end_mono_s: float | None = None) -> Elapsed:
    """Return the time between start and end: by the monotonic clock where both readings exist, else by the wall clock.

    A wall clock that went back is noted beside the monotonic duration. With wall readings alone nothing can be
    said then.

    Raises:
        ValueError: Ended before started, by the clock that would be used.
    """
    wall_s = (end_at - start_at).total_seconds()
    if start_mono_s is None or end_mono_s is None:
        if wall_s < 0:
            raise ValueError(
                f"ended before started: got {end_at.isoformat()}, {-wall_s:g} s before {start_at.isoformat()}, and no monotonic clock; "
                "expected an end at or after the start"
            )
        return Elapsed(wall_s, "by the wall clock alone")
    if end_mono_s < start_mono_s:
        raise ValueError(f"ended before started: the monotonic clock went from {start_mono_s:g} s to {end_mono_s:g} s, expected it to rise")
    note = f"the wall clock went back: it ends {-wall_s:g} s before the start" if wall_s < 0 else None
    return Elapsed(end_mono_s - start_mono_s, note)
