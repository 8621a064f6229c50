"""The log of a record: its line of supersession, and when, in which commit and by whom each was recorded."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from ledger.analysis.validity.supersession import entries_about, supersession_of
from ledger.errors import EnvironmentFaultError
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.record import Record
from ledger.model.values.meaning import meaning_hash

if TYPE_CHECKING:
    from ledger.store.git.history import History
    from ledger.store.index.history_index import Versions


@dataclass(frozen=True, slots=True)
class RecordLanding:
    """The first-parent commit of the main branch that brought a record's meaning."""

    on: date
    """In the ledger's time zone."""
    commit: str
    author: str
    """Author of the commit."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One record of a log, and when it landed."""

    entry: Entry
    landed: RecordLanding | None
    """None while it has not landed, and where no history tells."""
    about: "tuple[LogEntry, ...]" = ()
    """Reviews, waivers and retractions of it."""


@dataclass(frozen=True, slots=True)
class Log:
    """The records of one line, oldest first."""

    records: tuple[LogEntry, ...]
    gap: str | None
    """Why nothing is known of the history, where that is so."""


def log_of(catalogue: Catalogue, entry: Entry, versions: "Versions", *, history: "History") -> Log:
    """Return the log of a record; without a history every record is there, and nothing says when it landed."""
    line = supersession_of(catalogue, entry.record.id)
    about = {link.record.id: entries_about(catalogue, link.record.id) for link in line}
    try:
        landings = _landings([*line, *(other for others in about.values() for other in others)], versions, history)
        gap = None
    except EnvironmentFaultError as fault:
        landings, gap = {}, str(fault)

    def log_entry(entry: Entry) -> LogEntry:
        others = tuple(LogEntry(other, landings.get(other.record.id)) for other in about[entry.record.id])
        return LogEntry(entry, landings.get(entry.record.id), others)

    return Log(tuple(map(log_entry, line)), gap)


def _landings(entries: Iterable[Entry], versions: "Versions", history: "History") -> dict[str, RecordLanding]:
    landings = ((entry.record.id, _landing(entry.record, versions, history)) for entry in entries)
    return {record_id: landing for record_id, landing in landings if landing}


def _landing(record: Record, versions: "Versions", history: "History") -> RecordLanding | None:
    meaning = meaning_hash(record)
    zone = ZoneInfo(history.settings.time_zone)
    for since, _until, version in versions.versions_of(record.id):
        if meaning_hash(version.record) == meaning:
            author = history.repository.git.show("-s", "--format=%an", since.commit)
            return RecordLanding(since.recorded_at.astimezone(zone).date(), since.commit, str(author))
    return None
