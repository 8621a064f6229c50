"""What `capture` and `recheck` say of a capture."""

from typing import TYPE_CHECKING

from ledger.model.values.text import one_line

if TYPE_CHECKING:
    from ledger.api.results import CaptureResult


def print_captured(captured: "CaptureResult") -> None:
    """Print what was captured, whether the content drifted, and what became of the quotes from it."""
    print(
        one_line(
            f"{captured.source}: captured {captured.capture.retrieved_at}, sha256 {captured.capture.sha256}, {captured.capture.media_type}"
        )
    )
    if captured.capture.final_url:
        print("  " + one_line(f"the answer came from {captured.capture.final_url}"))
    if captured.before is None:
        print("  first capture with a hash; nothing to compare it with")
    elif captured.has_drifted:
        print(f"  DRIFTED: the content of {captured.before.retrieved_at} differs; both are kept")
        print("  " + one_line(f"rests on it: {', '.join(captured.resting) or 'nothing'}"))
    else:
        words = "the same bytes" if captured.before.sha256 == captured.capture.sha256 else "the same text, other markup"
        print(f"  unchanged: {words} as on {captured.before.retrieved_at}")
    for check in captured.quotes:
        print("  " + one_line(f'{check.claim} {check.name}: "{check.text}" {check.outcome}'))
