"""Types of what a ledger's methods return, for annotations; importing this loads what defines them, git and SQL among it."""

from ledger.bench.plan.plan import Outline
from ledger.bench.run.progress import Progress
from ledger.store.append.write_records import Written
from ledger.store.index.answers import Answer
from ledger.store.index.fulltext import SearchMatch
from ledger.store.index.record_log import Log, LogEntry
from ledger.store.index.views import Type as ColumnType
from ledger.store.sources.captures import CaptureResult

__all__ = ["Answer", "CaptureResult", "ColumnType", "Log", "LogEntry", "Outline", "Progress", "SearchMatch", "Written"]
