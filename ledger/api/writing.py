"""What adds to a ledger: records, and captures of sources."""

from datetime import date
from typing import TYPE_CHECKING

from ledger.api.ledger_files import LedgerFiles
from ledger.errors import UsageError
from ledger.model.records.source import Source

if TYPE_CHECKING:
    from ledger.store.append.operations import RecordWriter
    from ledger.store.sources.captures import CaptureResult


class Writing:
    """What adds to a ledger; open the ledger again to query what was written."""

    def __init__(self, files: LedgerFiles) -> None:
        self.files = files

    def record_writer(self, today: date | None = None) -> "RecordWriter":
        """Return what adds, supersedes, retracts and reviews records, dated today."""
        from ledger.store.append.operations import RecordWriter  # composing records is only needed by commands that write

        return RecordWriter(self.files.record_files, today or self.files.now().date())

    def capture(self, source_id: str, where: str | None = None, *, taken_on: date | None = None, archive: bool = False) -> "CaptureResult":
        """Capture a source and add that to its record.

        Args:
            source_id: The source.
            where: A file or an address; by default the source's own address.
            taken_on: When it was read, where that is not today.
            archive: Whether to keep the bytes.

        Raises:
            UsageError: no source has the id, or there is nothing to read.
            EnvironmentFaultError: the address does not answer.
        """
        from ledger.store.sources.captures import capture_source  # only this and recheck use the network

        files = self.files
        entry = files.entry(source_id)
        where = where or (entry.record.url if isinstance(entry.record, Source) else None)
        if where is None:
            raise UsageError(f"{source_id}: has no address. Name a file.")
        return capture_source(files.record_files, entry, where, now=files.now(), taken_on=taken_on, archive=archive)
