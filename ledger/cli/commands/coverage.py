"""`ledger coverage`: what nobody tested, ran, reviewed or read again."""

from typing import Annotated

import typer

from ledger.analysis.upkeep.coverage import TITLES, Coverage, Gap
from ledger.cli.input.options import AsOfOption, FormatOption, OutOption, open_ledger, read_as_of, warn_of_unread
from ledger.cli.text.output import Format, Listing, emit
from ledger.errors import ExitCode


def coverage(
    *,
    gap: Annotated[Gap | None, typer.Option(help="List the records of one gap.")] = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TABLE,
    out: OutOption = None,
) -> None:
    """Count the gaps, or list one; exit 1 where there are more than ledger.toml allows under [coverage]."""
    ledger, day = open_ledger(), read_as_of(as_of)
    found = ledger.coverage(as_of=day)
    warn_of_unread(ledger)
    footer = f" as of {day}"
    if gap is None and form == Format.TABLE:
        rows = [_row(one) for one in found]
        emit(Listing(rows, ("gap", "uncovered", "of", "allowed", "verdict"), footer, wide=("gap",)), form, out)
    else:
        chosen = [one for one in found if gap in (None, one.gap)]
        listed = [{"gap": each.gap, "record": each.record, "because": each.because} for one in chosen for each in one.uncovered]
        emit(Listing(listed, ("record", "because"), footer, wide=("record", "because")), form, out)
    if any(one.is_exceeded for one in found if gap in (None, one.gap)):
        raise typer.Exit(ExitCode.FINDINGS)


def _row(one: Coverage) -> dict[str, object]:
    verdict = "no limit" if one.allowed is None else "too many" if one.is_exceeded else "allowed"
    allowed = "" if one.allowed is None else one.allowed
    return {
        "gap": f"{TITLES[one.gap]} ({one.gap})",
        "uncovered": len(one.uncovered),
        "of": one.total,
        "allowed": allowed,
        "verdict": verdict,
    }
