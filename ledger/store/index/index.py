"""The SQL index: a disposable copy of the records that answers queries; deleting it changes no answer.

It is built again when a record file's size, inode or times differ from what it saw, beside its place, and moved there
whole; where the folder cannot be written it is built in memory. It reads the system's clock to know which files were
written so shortly before that a second change would show the same times; no answer depends on it.
"""

import os
import time
from collections.abc import Mapping
from datetime import date
from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlmodel import Field, Session, SQLModel, col, create_engine, insert, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from ledger import __version__
from ledger.analysis.validity.validity import Validity, validity
from ledger.model.catalogue import Catalogue, Entry
from ledger.store.files.record_files import RecordFiles
from ledger.store.index import fulltext, printed_claims, views
from ledger.store.index.answers import Answer
from ledger.store.index.record_columns import RecordColumns, columns_of, entry_of, narrow
from ledger.store.index.sqlite import sql_tables, sqlite_engine

FILE_NAME = "index.sqlite"
_VERSION = f"{__version__}/{views.LAYOUT}"
_RACY_NS = 2_000_000_000
"""A file changed so shortly before the index was built may change again unseen within one clock tick."""


class FileRow(SQLModel, table=True):
    """A record file as it was read."""

    path: str = Field(primary_key=True)
    stamp: str


class MetaRow(SQLModel, table=True):
    """What built the index."""

    key: str = Field(primary_key=True)
    value: str


class RecordRow(RecordColumns, table=True):
    """One record of the work tree, with when it holds among the others."""

    number: int | None = Field(default=None, primary_key=True)
    starts_on: str | None = None
    """ISO day; None where unknown."""
    ends_on: str | None = None
    closed_as: str
    because: str
    closed_by: str | None
    void: bool


class Index:
    """Queries over one ledger's records."""

    def __init__(self, files: RecordFiles) -> None:
        self._files = files
        self._path = files.root / files.settings.paths.cache / FILE_NAME
        self._engine: Engine | None = None

    def query(self, kind: str, *, equal: Mapping[str, str] = {}, prefix: Mapping[str, str] = {}, as_of: date | None = None) -> list[Answer]:
        """Return the records of a kind, in order of id.

        `equal` compares without regard to case, `prefix` matches a value or what lies below it (`vllm` finds
        `vllm/ngram`). With `as_of` only what holds on that day answers; without, every record does.
        """
        rows = narrow(select(RecordRow), RecordRow, kind, equal=equal, prefix=prefix)
        if as_of:
            day = as_of.isoformat()
            rows = rows.where(col(RecordRow.void).is_(False), RecordRow.starts_on <= day)  # type: ignore[operator]  # NULL compares false in SQL
            rows = rows.where(or_(col(RecordRow.ends_on).is_(None), RecordRow.ends_on > day))  # type: ignore[operator]  # NULL compares false in SQL
        try:
            return self._answers(rows)
        except (DatabaseError, ValueError):  # damaged below its first pages
            self._engine = self._build(self._files.stamps())
            return self._answers(rows)

    def _answers(self, rows: SelectOfScalar[RecordRow]) -> list[Answer]:
        with Session(self._current_engine()) as session:
            return [_answer(row) for row in session.exec(rows)]

    def _current_engine(self) -> Engine:
        """Return an engine over an index that agrees with the files."""
        if self._engine is None:
            stamps = self._files.stamps()
            self._engine = self._open(stamps) or self._build(stamps)
        return self._engine

    def _open(self, stamps: Mapping[str, str]) -> Engine | None:
        """Return an engine over the index that is there; None where it has to be built."""
        if not self._path.is_file():
            return None
        engine = sqlite_engine(self._path)
        try:
            with Session(engine) as session:
                built = {row.key: row.value for row in session.exec(select(MetaRow))}
                seen = {row.path: row.stamp for row in session.exec(select(FileRow))}
        except Exception:  # noqa: BLE001  # a damaged or foreign file is rebuilt, whatever SQLite says of it
            return None
        is_current = built.get("version") == _VERSION and seen == stamps and not _has_racy(stamps, int(built.get("built_at_ns", 0)))
        return engine if is_current else None

    def _build(self, stamps: Mapping[str, str]) -> Engine:
        """Write the index anew and return an engine over it."""
        built_at_ns = time.time_ns()
        new = self._path.with_name(f"{FILE_NAME}.{os.getpid()}.new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            (self._path.parent / ".gitignore").write_text("*\n")
            new.unlink(missing_ok=True)
            engine = sqlite_engine(new, writable=True)
            self._fill(engine, stamps, built_at_ns)
            engine.dispose()
            new.replace(self._path)
            return sqlite_engine(self._path)
        except (OSError, OperationalError):
            engine = create_engine("sqlite://")
            self._fill(engine, stamps, built_at_ns)
            return engine

    def _fill(self, engine: Engine, stamps: Mapping[str, str], built_at_ns: int) -> None:
        SQLModel.metadata.create_all(engine, tables=sql_tables(FileRow, MetaRow, RecordRow))
        with Session(engine) as session:
            session.add(MetaRow(key="version", value=_VERSION))
            session.add(MetaRow(key="built_at_ns", value=str(built_at_ns)))
            session.add_all(FileRow(path=path, stamp=stamp) for path, stamp in stamps.items())
            fill_records(session, self._files.catalogue)
            session.commit()

    def connect(self) -> Connection:
        """Return a connection to the index for search, SQL and export; the caller closes it."""
        return self._current_engine().connect()


def memory_index(catalogue: Catalogue) -> Connection:
    """Return a connection to an index in memory over some records, such as those of an earlier time."""
    engine = create_engine("sqlite://")
    SQLModel.metadata.create_all(engine, tables=sql_tables(RecordRow))
    with Session(engine) as session:
        fill_records(session, catalogue)
        session.commit()
    return engine.connect()


def fill_records(session: Session, catalogue: Catalogue) -> None:
    """Write every record, its text for searching, and the stable views."""
    rows = [_row(catalogue, entry) for entry in catalogue.by_id.values()]
    if rows:
        session.connection().execute(insert(RecordRow), rows)  # past the mapper, whose checks cost most of a build
    fulltext.fill(session.connection(), catalogue)
    printed_claims.fill(session.connection(), catalogue)
    views.create_views(session.connection())


def _has_racy(stamps: Mapping[str, str], built_at_ns: int) -> bool:
    return any(int(stamp.rsplit(":", 1)[1]) > built_at_ns - _RACY_NS for stamp in stamps.values())


def _row(catalogue: Catalogue, entry: Entry) -> dict[str, Any]:
    held = validity(catalogue, entry.record)
    return {
        "starts_on": held.starts_on.isoformat() if held.starts_on else None,
        "ends_on": held.ends_on.isoformat() if held.ends_on else None,
        "closed_as": held.final_status,
        "because": held.because,
        "closed_by": held.by,
        "void": held.void,
        **columns_of(entry),
    }


def _answer(row: RecordRow) -> Answer:
    starts_on, ends_on = (date.fromisoformat(day) if day else None for day in (row.starts_on, row.ends_on))
    held = Validity(starts_on, ends_on, row.closed_as, row.because, row.closed_by, row.void)  # type: ignore[arg-type]  # a Status, written by _row
    return Answer(entry_of(row).record, held, row.path)
