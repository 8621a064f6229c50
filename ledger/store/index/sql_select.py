"""Read-only SQL over the stable views: one statement, no way to write, attach, or look below the views."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from ledger.errors import UsageError
from ledger.store.index.views import VIEWS

READABLE = frozenset((*(view.name for view in VIEWS), "recorded", "sqlite_master", "sqlite_schema", "json_each", "json_tree"))
_FORBIDDEN = ("load_extension", "fts3_tokenizer", "fts5", "readfile", "writefile", "edit", "icu_load_collation")
_STEPS = 10_000
"""Virtual-machine steps between two moments at which an interrupt from the keyboard is heard."""
RECORDED = "recorded"

SelectResult = tuple[list[str], list[tuple[object, ...]]]
"""Names of the columns, and the rows."""


def select(connection: Connection, statement: str, recorded: Callable[[], Iterable[tuple[str, str, str]]]) -> SelectResult:
    """Return what one SELECT yields.

    `recorded` yields id, meaning and the day on which it landed; it is asked only where the statement names that table.

    Raises:
        UsageError: the statement is faulty, or would do more than read the views.
    """
    with _views_only(connection, statement, recorded) as driver:
        try:
            cursor = driver.execute(statement)
            rows = cursor.fetchall()
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise UsageError(f"sql: {_words(error)}. `ledger sql` without a statement lists the views.") from None
    if cursor.description is None:
        raise UsageError("sql: the statement reads nothing. Give one SELECT.")
    return [column[0] for column in cursor.description], rows


def _words(error: Exception) -> str:
    text = str(error).rstrip(".")
    if "prohibited" in text or "not authorized" in text or "readonly" in text:
        return f"{text}: it may only read {', '.join(view.name for view in VIEWS)} and {RECORDED}"
    return text


@contextmanager
def _views_only(
    connection: Connection, statement: str, recorded: Callable[[], Iterable[tuple[str, str, str]]]
) -> Iterator[sqlite3.Connection]:
    """Yield the connection while it can do nothing but read the views, and be interrupted from the keyboard."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)  # the index is SQLite
    if RECORDED in statement.casefold():
        driver.execute(f"CREATE TEMP TABLE IF NOT EXISTS {RECORDED} (id TEXT, meaning TEXT, recorded_on TEXT)")
        driver.executemany(f"INSERT INTO {RECORDED} VALUES (?, ?, ?)", recorded())
        driver.commit()
    for table in ("json_each", "json_tree"):
        driver.execute(f"SELECT 1 FROM {table}('[]')")  # made ready now: the authorizer would refuse to make them
    driver.execute("PRAGMA query_only = ON")
    driver.set_authorizer(_authorise)
    driver.set_progress_handler(lambda: 0, _STEPS)
    try:
        yield driver
    finally:
        driver.set_progress_handler(None, _STEPS)
        driver.set_authorizer(None)
        driver.execute("PRAGMA query_only = OFF")


def _authorise(  # noqa: PLR0917  # SQLite calls it so
    action: int, first: str | None, second: str | None, _database: str | None, within: str | None
) -> int:
    """SQLite's question before each access; reading below a view is granted only to the view."""
    match action:
        case sqlite3.SQLITE_SELECT | sqlite3.SQLITE_RECURSIVE:
            return sqlite3.SQLITE_OK
        case sqlite3.SQLITE_READ if first in READABLE or within in READABLE or not first:
            return sqlite3.SQLITE_OK
        case sqlite3.SQLITE_FUNCTION if second and not second.casefold().startswith(_FORBIDDEN):
            return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY
