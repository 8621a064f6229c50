"""What every command that writes records says of them."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.cli.text.output import note, report

if TYPE_CHECKING:
    from ledger.api.results import Written


def print_written(written: "Written") -> None:
    """Print the new files; their warnings go to standard error."""
    report(written.warnings, stream=sys.stderr)
    if written.unread:
        note(f"warning: {', '.join(written.unread[:3])} cannot be read and took no part in the check. Run `ledger check`.")
    for path in written.paths:
        print(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
    if len(written.paths) > 1:
        note(f"{len(written.paths)} records written.")
