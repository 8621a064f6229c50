"""The files of an opened ledger: settings, records, index and history, each read when first asked for."""

from collections.abc import Callable
from datetime import datetime
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from ledger.errors import EnvironmentFaultError, UsageError
from ledger.model.catalogue import AnyRecord, Catalogue, Entry
from ledger.model.record import Record
from ledger.model.values.meaning import meaning_hash
from ledger.store.files.record_files import RecordFiles
from ledger.store.files.settings import Settings, find_root, read_settings

if TYPE_CHECKING:
    from ledger.store.git.history import History
    from ledger.store.git.repository import Head
    from ledger.store.index.history_index import Versions
    from ledger.store.index.index import Index
    from ledger.store.index.sqlite import Connection


class LedgerFiles:
    """What a ledger consists of on disk; every part of `Ledger` is made from one of these.

    Attributes:
        root: The folder with `ledger.toml`.
        settings: What `ledger.toml` says.
        now: Returns the present instant.
        record_files: The files under `records/`.
    """

    def __init__(self, root: Path, settings: Settings, now: Callable[[], datetime]) -> None:
        self.root = root
        self.settings = settings
        self.now = now
        self.record_files = RecordFiles(root, settings)

    @classmethod
    def at(cls, path: Path, now: Callable[[], datetime]) -> "LedgerFiles":
        """Return the files of the ledger at or above a folder.

        Raises:
            UsageError: there is no `ledger.toml`.
            DataRefusedError: `ledger.toml` has faults.
        """
        root = find_root(path)
        return cls(root, read_settings(root), now)

    def reopened(self) -> "LedgerFiles":
        """Return the same ledger, to be read anew: another process may have written meanwhile."""
        return LedgerFiles.at(self.root, self.now)

    @cached_property
    def catalogue(self) -> Catalogue:
        """Every readable record, from the files."""
        return self.record_files.catalogue

    @cached_property
    def index(self) -> "Index":
        """The SQL index, made or refreshed when first asked."""
        from ledger.store.index.index import Index  # SQLModel is only needed by queries

        return Index(self.record_files)

    @cached_property
    def history(self) -> "History":
        """The main branch of the repository around the ledger."""
        from ledger.store.git.history import History  # git is only needed by recorded time

        return History(self.root, self.settings)

    @cached_property
    def versions(self) -> "Versions":
        """The index of the main branch's history."""
        from ledger.store.index.history_index import Versions  # git is only needed by recorded time

        return Versions(self.history)

    @cached_property
    def recorded(self) -> "dict[tuple[str, str], datetime] | None":
        """When each meaning of each id landed, by id and meaning hash; None where no history tells."""
        try:
            return self.versions.recorded_times()
        except EnvironmentFaultError:
            return None

    def recorded_on(self, record: Record) -> str:
        """Return the day on which a record's meaning landed, in the ledger's time zone; `unrecorded` until then.

        `unknown` where no history tells: outside git, or in a shallow clone.
        """
        if self.recorded is None:
            return "unknown"
        at = self.recorded.get((record.id, meaning_hash(record)))
        return at.astimezone(self.time_zone).date().isoformat() if at else "unrecorded"

    def is_landed(self, record: Record) -> bool:
        """Whether a record's present meaning has landed on the main branch; False where no history tells."""
        return (record.id, meaning_hash(record)) in (self.recorded or {})

    def has_landed(self, record_id: str) -> bool:
        """Whether a record of that id has landed, whatever it meant; False where no history tells."""
        return any(landed == record_id for landed, _meaning in self.recorded or {})

    @property
    def time_zone(self) -> ZoneInfo:
        """The zone in which the ledger counts days."""
        return ZoneInfo(self.settings.time_zone)

    def head(self) -> "Head | None":
        """Return the commit the ledger stands at; None outside a repository."""
        from ledger.store.git.repository import head_of  # git is not needed by queries

        return head_of(self.root)

    def entry(self, record_id: str) -> Entry:
        """Return the entry of an id.

        Raises:
            UsageError: no record, or more than one, has it.
        """
        if entry := self.catalogue.by_id.get(record_id):
            return entry
        places = [entry.path for entry in self.catalogue if entry.record.id == record_id]
        if places:
            raise UsageError(f"{record_id}: used by {' and '.join(places)}. Rename all but one.")
        near = get_close_matches(record_id, self.catalogue.by_id, n=3)
        raise UsageError(f"{record_id}: no such record. " + (f"Did you mean {', '.join(near)}?" if near else "See `ledger claims`."))

    def record(self, kind: type[AnyRecord], record_id: str) -> AnyRecord:
        """Return the record of a kind and id.

        Raises:
            UsageError: there is none; names those that there are.
        """
        if record := self.catalogue.get(record_id, kind):
            return record
        known = ", ".join(record.id for record in self.catalogue.of(kind))
        raise UsageError(f"{record_id}: no such {kind.KIND}. There is {known or 'none yet'}.")

    def catalogue_at(self, known_at: str | None) -> Catalogue:
        """Return every record as the ledger knew it at a day or commit; with None those of the work tree.

        Raises:
            UsageError: `known_at` lies in the future or off the main branch.
        """
        return self.catalogue if known_at is None else self.versions.catalogue(self.versions.point(known_at, self.now()))

    def connect(self, known_at: str | None = None) -> "Connection":
        """Return a connection to the index, or to one in memory of what the ledger knew then; the caller closes it."""
        from ledger.store.index.index import memory_index  # SQLModel is only needed by queries

        return self.index.connect() if known_at is None else memory_index(self.catalogue_at(known_at))
