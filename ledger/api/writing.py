"""What adds to a ledger: records, and captures of sources."""

from datetime import date
from typing import TYPE_CHECKING

from ledger.api.opened import Opened
from ledger.errors import UsageError
from ledger.model.records.source import Source

if TYPE_CHECKING:
    from ledger.store.append.operations import Appending
    from ledger.store.sources.captures import Captured


class Writing(Opened):
    """What adds to a ledger."""

    def appending(self, today: date | None = None) -> "Appending":
        """Return what adds, supersedes, retracts and reviews records; open the ledger again to query what it wrote."""
        from ledger.store.append.operations import Appending  # composing records is only needed by commands that write

        return Appending(self.files, today or self.now().date())

    def capture(self, source_id: str, where: str | None = None, *, taken_on: date | None = None, archive: bool = False) -> "Captured":
        """Capture a source from a file or an address, its own by default, and add that to its record.

        Raises:
            UsageError: no source has the id, or there is nothing to read.
            EnvironmentFault: the address does not answer.
        """
        from ledger.store.sources.captures import capture  # only this and recheck use the network

        entry = self.entry(source_id)
        where = where or (entry.record.url if isinstance(entry.record, Source) else None)
        if where is None:
            raise UsageError(f"{source_id}: has no address. Name a file.")
        return capture(self.files, self.catalogue, entry, where, now=self.now(), taken_on=taken_on, archive=archive)
