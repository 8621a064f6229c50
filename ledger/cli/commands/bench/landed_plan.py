"""Whether a plan is fixed before its run."""

from ledger.api import Ledger
from ledger.errors import DataRefusedError


def require_landed_plan(ledger: Ledger, protocol: str, *, unplanned: bool) -> bool:
    """Return whether a plan has landed as it stands.

    Raises:
        DataRefusedError: it has not, and nobody said that an unplanned run is wanted.
    """
    missing = ledger.plans.not_landed(protocol)
    if missing and not unplanned:
        ledger.files.versions.recorded_times()  # where no history can tell, that is the fault to name
        raise DataRefusedError(
            f"{', '.join(missing)}: not landed on {ledger.settings.main_branch} as it stands, so the plan is not fixed. "
            "Commit it there first, or give --unplanned; an unplanned run backs no verdict."
        )
    return not missing
