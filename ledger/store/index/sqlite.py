"""Connections to the SQLite files of the cache, and the tables that each of them has."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, Table
from sqlmodel import SQLModel, create_engine

__all__ = ["Connection", "Engine", "sql_tables", "sqlite_engine"]


def sqlite_engine(path: Path, *, writable: bool = False, **connect_args: Any) -> Engine:
    """Return an engine over a SQLite file, whatever signs its path holds; it writes and creates only where asked."""
    query = {"mode": "rwc" if writable else "ro", "uri": "true"}
    return create_engine(URL.create("sqlite", database=f"file:{quote(str(path))}", query=query), connect_args=connect_args)


def sql_tables(*models: type[SQLModel]) -> list[Table]:
    """Return the SQL tables of models, so that each database gets its own and no other's."""
    return [SQLModel.metadata.tables[model.__name__.lower()] for model in models]
