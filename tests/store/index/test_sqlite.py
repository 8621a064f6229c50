"""Connections to files of any name, read-only unless asked, and tables of their own."""

from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from ledger.store.index.history_index import CommitRow
from ledger.store.index.index import RecordRow
from ledger.store.index.sqlite import sql_tables, sqlite_engine


def test_a_file_is_made_only_where_writing_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "50% off? a#b & c;d.sqlite"
    with pytest.raises(OperationalError), sqlite_engine(path).connect():
        pass
    assert not path.exists()
    writer = sqlite_engine(path, writable=True)
    with writer.begin() as connection:
        connection.execute(text("CREATE TABLE t (a)"))
    writer.dispose()
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
    reader = sqlite_engine(path)
    with reader.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM t")).scalar() == 0
        with pytest.raises(OperationalError, match="readonly"):
            connection.execute(text("INSERT INTO t VALUES (1)"))
    reader.dispose()


def test_each_database_gets_the_tables_of_its_models() -> None:
    assert [table.name for table in sql_tables(RecordRow, CommitRow)] == ["recordrow", "commitrow"]
