"""The index of the history: every version of every record on the main branch, filled from git by what changed.

`--known-at` asks it for the versions of one commit; it holds nothing that git does not.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from functools import cached_property
from zoneinfo import ZoneInfo

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError
from sqlmodel import Field, Session, SQLModel, col, create_engine, func, or_, select

from ledger import __version__
from ledger.analysis.validity.landed_guard import Version
from ledger.analysis.validity.validity import validity
from ledger.errors import UsageError
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.values.meaning import meaning_hash
from ledger.store.files.reading import read_file
from ledger.store.git.history import History, Landing
from ledger.store.index.answers import Answer
from ledger.store.index.record_columns import RecordColumns, columns_of, entry_of, narrow
from ledger.store.index.sqlite import sql_tables, sqlite_engine

_FORM = "2"
FILE_NAME = f"history-{__version__}-{_FORM}.sqlite"
"""Another program version, or another form of the records in it, reads records differently, so it keeps its own file."""


class CommitRow(SQLModel, table=True):
    """A first-parent commit: its place in the sequence and when it counts as recorded."""

    sequence: int = Field(primary_key=True)
    commit: str = Field(index=True)
    committed_at: int
    """Seconds since 1970, as the commit says."""
    recorded_at: int
    """The running maximum."""


class VersionRow(RecordColumns, table=True):
    """A record as it stood from one commit, inclusive, to another, exclusive; `until` is None while it stands."""

    number: int | None = Field(default=None, primary_key=True)
    since: int = Field(index=True)
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """A point of recorded time: a commit of the main branch."""

    sequence: int
    commit: str
    recorded_at: datetime


class Versions:
    """Queries over what the ledger knew at a commit."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._path = history.root / history.settings.paths.cache / FILE_NAME

    @cached_property
    def engine(self) -> Engine:
        """The index, filled up to the main branch's last commit.

        Raises:
            EnvironmentFaultError: there is no history, or it is shallow.
        """
        self._history.refuse_shallow()
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            (self._path.parent / ".gitignore").write_text("*\n")
            writable = os.access(self._path.parent, os.W_OK)
        except OSError:
            writable = False
        if writable:
            engine = sqlite_engine(self._path, writable=True, timeout=60)
            try:
                self._refresh(engine)
            except OperationalError:  # the disk is full, or fails: what the file would hold is held in memory
                engine.dispose()
            else:
                return engine
        engine = create_engine("sqlite://")
        self._refresh(engine)
        return engine

    def _refresh(self, engine: Engine) -> None:
        with engine.connect() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # one writer fills, the others wait for it
            SQLModel.metadata.create_all(connection, tables=sql_tables(CommitRow, VersionRow))
            with Session(connection) as session:
                last = session.exec(select(CommitRow).order_by(col(CommitRow.sequence).desc()).limit(1)).first()
                if last and last.commit != self._history.tip and not self._is_on_main_branch(last.commit):
                    session.connection().exec_driver_sql("DELETE FROM commitrow")
                    session.connection().exec_driver_sql("DELETE FROM versionrow")
                    last = None
                if last is None or last.commit != self._history.tip:
                    self._append(session, last)
                session.commit()
            connection.commit()

    def _is_on_main_branch(self, commit: str) -> bool:
        """Whether a commit is still one of the main branch's own; a rewritten branch may have lost the one the index ends with."""
        chain = self._history.repository.git.rev_list("--first-parent", self._history.tip).split()
        return commit in set(chain)

    def _append(self, session: Session, last: CommitRow | None) -> None:
        sequence, recorded_at = (last.sequence, last.recorded_at) if last else (0, 0)
        for landing in self._history.landings(after=last.commit if last else None):
            sequence += 1
            committed_at = int(landing.committed_at.timestamp())
            recorded_at = max(recorded_at, committed_at)
            session.add(CommitRow(sequence=sequence, commit=landing.commit, committed_at=committed_at, recorded_at=recorded_at))
            for row in self._record_changes(session, landing, sequence):
                session.add(row)
            session.flush()

    def _record_changes(self, session: Session, landing: Landing, sequence: int) -> Iterator[VersionRow]:
        for change in landing.changes:
            open_rows = session.exec(select(VersionRow).where(VersionRow.path == change.path, col(VersionRow.until).is_(None))).all()
            entries = read_file(change.path, self._history.content(change.blob)).entries if change.blob else ()
            now = {(row["field"], row["data"]): row for row in map(columns_of, entries)}
            for row in open_rows:
                if now.pop((row.field, row.data), None) is None:
                    row.until = sequence
                    session.add(row)
            yield from (VersionRow(since=sequence, **columns) for columns in now.values())

    def point(self, known_at: str, now: datetime) -> Point:
        """Return the commit that a day or a commit's name stands for; a day means its end in the ledger's time zone.

        Raises:
            UsageError: the point lies in the future, before the first commit, or off the main branch.
        """
        try:
            day = date.fromisoformat(known_at)
        except ValueError:
            return self._commit_point(known_at)
        zone = ZoneInfo(self._history.settings.time_zone)
        if day > now.astimezone(zone).date():
            raise UsageError(f"--known-at: {day} lies in the future; nothing is recorded there yet. Give an earlier day.")
        end = datetime.combine(day, time.max, zone).timestamp()
        with Session(self.engine) as session:
            known = select(CommitRow).where(CommitRow.recorded_at <= end).order_by(col(CommitRow.sequence).desc())
            row = session.exec(known.limit(1)).first()
        if row is None:
            raise UsageError(f"--known-at: nothing was recorded by {day}. Give a later day.")
        return _point(row)

    def _commit_point(self, name: str) -> Point:
        commit = self._history.resolve_commit(name)
        with Session(self.engine) as session:
            row = session.exec(select(CommitRow).where(CommitRow.commit == commit)).first()
        if row is None:
            branch = self._history.settings.main_branch
            raise UsageError(f"--known-at: {commit[:12]} is no first-parent commit of {branch}, so it never landed. Give one of {branch}.")
        return _point(row)

    def query(self, kind: str, point: Point, *, equal: Mapping[str, str], prefix: Mapping[str, str], as_of: date | None) -> list[Answer]:
        """Return the records of a kind as the ledger knew them at a point, in order of id."""
        with Session(self.engine) as session:
            rows = session.exec(narrow(self._visible(point), VersionRow, kind, equal=equal, prefix=prefix)).all()
            catalogue = self._deciding(session, point, rows)
        answers = []
        for row in rows:
            if entry := catalogue.by_id.get(row.id):
                held = validity(catalogue, entry.record)
                if as_of is None or held.status(as_of) == "current":
                    answers.append(Answer(entry.record, held, entry.path))
        return answers

    def _visible(self, point: Point):  # type: ignore[no-untyped-def]  # SQLModel's select type names the table
        rows = select(VersionRow).where(VersionRow.since <= point.sequence)
        return rows.where(or_(col(VersionRow.until).is_(None), col(VersionRow.until) > point.sequence))

    def _deciding(self, session: Session, point: Point, chosen: Sequence[VersionRow]) -> Catalogue:
        """Return the records that decide when chosen ones hold: they, all successors, retractions and sources.

        Ids used more than once are left out.
        """
        rows = {row.number: row for row in chosen}
        linked = self._visible(point).where(or_(col(VersionRow.supersedes_id).is_not(None), VersionRow.kind.in_(("retraction", "source"))))  # type: ignore[attr-defined]  # a column
        rows |= {row.number: row for row in session.exec(linked)}
        twice = select(VersionRow.id).where(VersionRow.since <= point.sequence)
        twice = twice.where(or_(col(VersionRow.until).is_(None), col(VersionRow.until) > point.sequence))
        twice = twice.group_by(VersionRow.id).having(func.count() > 1)
        ambiguous = set(session.exec(twice))
        return Catalogue(entry_of(row) for row in rows.values() if row.id not in ambiguous)

    def catalogue(self, point: Point) -> Catalogue:
        """Return every record as the ledger knew it at a point."""
        with Session(self.engine) as session:
            return Catalogue(entry_of(row) for row in session.exec(self._visible(point)))

    def recorded_times(self) -> dict[tuple[str, str], datetime]:
        """Return when each meaning of each id was first recorded."""
        with Session(self.engine) as session:
            query = select(VersionRow.id, VersionRow.meaning, func.min(CommitRow.recorded_at))
            query = query.join(CommitRow, col(CommitRow.sequence) == col(VersionRow.since)).group_by(VersionRow.id, VersionRow.meaning)
            return {(record_id, meaning): datetime.fromtimestamp(at, UTC) for record_id, meaning, at in session.exec(query)}

    def commits(self) -> list[CommitRow]:
        """Return the first-parent commits, oldest first."""
        with Session(self.engine) as session:
            return list(session.exec(select(CommitRow).order_by(col(CommitRow.sequence))))

    def versions_of(self, record_id: str) -> list[tuple[Point, Point | None, Entry]]:
        """Return every version of an id: since when, until when, and what it said."""
        with Session(self.engine) as session:
            rows = session.exec(select(VersionRow).where(VersionRow.id == record_id).order_by(col(VersionRow.since))).all()
            points = {row.sequence: _point(row) for row in session.exec(select(CommitRow))}
            return [(points[row.since], points[row.until] if row.until else None, entry_of(row)) for row in rows]

    def with_worktree(self, worktree: Catalogue) -> tuple[list[Version], list[str]]:
        """Return every version, the work tree's as if it were the next commit, and the commits' names by sequence."""
        with Session(self.engine) as session:
            commits = session.exec(select(CommitRow).order_by(col(CommitRow.sequence))).all()
            rows = session.exec(select(VersionRow)).all()
        following = len(commits) + 1
        landed = [Version(entry_of(row).record, row.meaning, row.path, row.since, row.until) for row in rows]
        here = {(entry.record.id, entry.path): entry for entry in worktree}
        versions = [v if v.until is not None or _is_in_worktree(v, here) else replace(v, until=following) for v in landed]
        kept = {(v.record.id, v.path) for v in versions if v.until is None}
        versions += [Version(e.record, meaning_hash(e.record), e.path, following, None) for key, e in here.items() if key not in kept]
        names = ["", *(f"commit {c.commit[:12]} of {_day(c.committed_at)}" for c in commits), "the work tree, not yet committed"]
        return versions, names


def _is_in_worktree(version: Version, here: dict[tuple[str, str], Entry]) -> bool:
    """Whether the work tree holds a version as it landed."""
    entry = here.get((version.record.id, version.path))
    return entry is not None and entry.record == version.record


def _day(seconds: int) -> date:
    return datetime.fromtimestamp(seconds, UTC).date()


def _point(row: CommitRow) -> Point:
    return Point(row.sequence, row.commit, datetime.fromtimestamp(row.recorded_at, UTC))
