"""How far a run is, as lines on standard error, where there is no terminal to draw on."""

import sys

from ledger.bench.run.progress import Progress

EVERY_S = 10.0


class ProgressLines:
    """Prints a line when what is done changes, and at most every few seconds otherwise."""

    def __init__(self) -> None:
        self._doing = ""
        self._at_s = -EVERY_S

    def __call__(self, state: Progress) -> None:
        if state.doing == self._doing and state.elapsed_s - self._at_s < EVERY_S:
            return
        self._doing, self._at_s = state.doing, state.elapsed_s
        line = f"{state.doing}: {state.requests_done} of {state.requests_total} requests, {left_text(state.left_s)}"
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def left_text(seconds: float) -> str:
    """Return the time left in words: `about 3 min left`."""
    return f"about {seconds / 60:.0f} min left" if seconds >= 90 else f"about {seconds:.0f} s left"
